import type { InboxItem } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { messageId } from '../message-id.js';
import { note, say, sayJson } from '../print.js';

export default defineCommand({
  about: [
    'What was sent to @me. Without a verb this lists what is unread; "read" shows mail in full and marks it as read.',
    '"read --all" shows nothing: it marks all that is unread.',
    'sm reply ID "text" answers it.',
  ],
  args: [
    { name: 'verb', optional: true, choices: ['read'], help: 'read' },
    {
      name: 'id',
      field: 'item',
      optional: true,
      many: true,
      help: 'id of each mail, or an unambiguous beginning of it',
    },
  ],
  options: {
    all: { kind: 'flag', help: 'also what was read; with "read": mark all as read' },
    limit: {
      kind: 'number',
      value: 'COUNT',
      short: 'n',
      initial: 1000,
      most: 10_000,
      help: 'how many are listed, the newest',
    },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm inbox', does: 'what is unread' },
    { run: 'sm inbox read 4f2a91', does: 'one of them in full' },
    { run: 'sm inbox read --all', does: 'nothing is unread any more' },
    { run: 'sm inbox --all --json | jq -r ".[].text"', does: 'the texts, for a script' },
  ],
  exits: [[EXIT.missing, 'no such mail']],
  async run({ args, options }) {
    if (args.verb === undefined) {
      await list(options);
      return undefined;
    }
    if (options.all) {
      if (args.id.length > 0) throw new UsageError('give ids or --all, not both');
      const marked = await ask((client) => client.readInbox());
      if (options.json) sayJson(marked);
      else say(`marked ${marked.read} as read`);
      return undefined;
    }
    if (args.id.length === 0)
      throw new UsageError(
        'id is missing: sm inbox read ID',
        'sm inbox lists what is unread; sm inbox read --all marks all of it',
      );
    const items: InboxItem[] = [];
    for (const id of args.id) items.push(await ask((client) => client.readInboxItem(messageId(id))));
    if (options.json) sayJson(items);
    else await show(items);
    return undefined;
  },
});

async function list({ all, limit, json }: { all: boolean; limit: number; json: boolean }): Promise<void> {
  const { items, unread } = await ask((client) => client.inbox({ all, limit }));
  if (all && items.length === limit)
    note(`sm: only the newest ${limit} are listed; --limit COUNT lists more`);
  if (!all && unread > items.length)
    note(`sm: ${unread - items.length} more are unread, older than these; --limit COUNT lists more`);
  if (json) return sayJson(items);
  if (items.length === 0)
    return say(all ? 'the inbox is empty' : 'nothing is unread; sm inbox --all lists what was read');
  const { INBOX_COLUMNS, inboxRow } = await import('../rows.js');
  (await import('../table.js')).sayTable(INBOX_COLUMNS, items.map(inboxRow));
  if (process.stdout.isTTY) note('\nsm inbox read ID shows one in full; sm reply ID "text" answers it.');
}

async function show(items: readonly InboxItem[]): Promise<void> {
  const { sayInboxItem } = await import('../show.js');
  const { conversation } = await import('../conversation.js');
  for (const [index, item] of items.entries()) {
    if (index > 0) say();
    sayInboxItem(item, await conversation(item.thread));
  }
}
