import type { Draft, RestoredDraft } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { say, sayJson } from '../print.js';

const VERBS = ['show', 'restore', 'copy'] as const;
type Verb = (typeof VERBS)[number];
const MOST = 1000;

export default defineCommand({
  about: [
    'A draft is on disk before a message goes past it. Without a verb this lists those that are not known to be back.',
    'restore types the text into the input box of its session, without Enter, if the box is empty and nobody types there.',
    "copy puts it into tmux's paste buffer; into a pipe it prints the text and nothing else. The draft then counts as taken: only --all lists it.",
  ],
  args: [
    { name: 'verb', optional: true, choices: VERBS, help: 'show, restore or copy' },
    { name: 'draft', optional: true, help: 'id, or an unambiguous beginning of it', completes: 'drafts' },
  ],
  options: {
    session: { kind: 'text', value: 'NAME', help: 'only those of one session', completes: 'sessions' },
    all: { kind: 'flag', help: 'also those that are back, or were taken' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm drafts', does: 'what was taken from an input box and is not known to be back' },
    { run: 'sm drafts show 4f2a91', does: 'one of them in full' },
    { run: 'sm drafts restore 4f2a91', does: 'back into the input box, without Enter' },
    { run: 'sm drafts copy 4f2a91 > draft.txt', does: 'the exact text' },
  ],
  exits: [[EXIT.refused, 'restore: the input box is not empty, or somebody types there; the text is kept']],
  async run({ args, options }) {
    const verb = args.verb as Verb | undefined;
    if (verb === undefined) {
      await list(options);
      return undefined;
    }
    if (args.draft === undefined)
      throw new UsageError(`draft is missing: sm drafts ${verb} ID`, 'sm drafts --all lists them');
    if (options.session !== undefined || options.all)
      throw new UsageError(`--session and --all are for the list, not for "${verb}"`);
    const id = args.draft;
    if (verb === 'show') await show(id, options.json);
    else if (verb === 'restore') await restore(id, options.json);
    else await copy(id, options.json);
    return undefined;
  },
});

async function list({
  session,
  all,
  json,
}: {
  session: string | undefined;
  all: boolean;
  json: boolean;
}): Promise<void> {
  const drafts = await ask((client) =>
    client.drafts({
      state: all ? 'all' : 'open',
      limit: MOST,
      ...(session === undefined ? {} : { session }),
    }),
  );
  if (json) return sayJson(drafts);
  const of = session === undefined ? '' : ` of ${session}`;
  if (drafts.length === 0)
    return say(
      all ? `no drafts${of} are kept` : `no draft${of} is missing; sm drafts --all lists those that are back`,
    );
  const { DRAFT_COLUMNS, draftRow } = await import('../draft-rows.js');
  (await import('../table.js')).sayTable(DRAFT_COLUMNS, drafts.map(draftRow));
}

async function show(id: string, json: boolean): Promise<void> {
  const draft = await ask((client) => client.draft(id));
  if (json) return sayJson(draft);
  (await import('../draft-rows.js')).sayDraft(draft);
}

async function restore(id: string, json: boolean): Promise<void> {
  const draft = await ask((client) => client.restoreDraft(id));
  if (json) sayJson(draft);
  else if (draft.state === 'restored')
    say(`draft ${draft.id} went back by itself meanwhile; it is in the input box of ${draft.session.name}`);
  else
    say(
      `draft ${draft.id} is in the input box of ${draft.session.name}; Enter was not pressed${caret(draft)}`,
    );
}

const caret = ({ caret, caret_back }: RestoredDraft): string => {
  if (caret_back) return '; the caret is where it was';
  return caret === null ? '; where its caret was is not known' : '; its caret may not be where it was';
};

async function copy(id: string, json: boolean): Promise<void> {
  const { draft, buffer } = await ask((client) => client.copyDraft(id));
  if (json) return sayJson({ draft, buffer });
  if (!process.stdout.isTTY) return void process.stdout.write(draft.text);
  say(copied(draft, buffer));
}

const copied = (draft: Draft, buffer: boolean): string =>
  buffer
    ? `draft ${draft.id} is in the paste buffer of the tmux server of ${draft.session.name}: prefix ] pastes it`
    : `the tmux server of ${draft.session.name} does not answer; "sm drafts copy ${draft.id} | cat" prints the text`;
