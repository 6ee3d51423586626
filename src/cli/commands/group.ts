import type { Group } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { UsageError } from '../errors.js';
import { say, sayJson } from '../print.js';
import { sayTable } from '../table.js';

export default defineCommand({
  about: ['sm send @GROUP reaches all who are in it. A group is there for as long as a session is in it.'],
  args: [
    { name: 'verb', optional: true, choices: ['add', 'rm'], help: 'add or rm' },
    { name: 'group', optional: true, help: 'name of the group, without the @' },
    {
      name: 'session',
      field: ['session', 'add', 'remove'],
      optional: true,
      many: true,
      help: 'name or id of each session',
      completes: 'sessions',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm group', does: 'all groups, and who is in them' },
    { run: 'sm group add reviewers claude codex', does: 'two sessions into a group' },
    { run: 'sm group rm reviewers codex', does: 'one of them out again' },
  ],
  async run({ args, options }) {
    if (args.verb === undefined) {
      await list(options.json);
      return undefined;
    }
    if (args.group === undefined || args.session.length === 0)
      throw new UsageError(
        `sm group ${args.verb} needs the name of a group, and sessions`,
        'sm group lists them',
      );
    const name = args.group.replace(/^@/, '');
    const change = args.verb === 'add' ? { add: args.session } : { remove: args.session };
    const group = await ask((client) => client.changeGroup(name, change));
    if (options.json) sayJson(group);
    else say(`@${group.name}: ${members(group) || 'nobody'}`);
    return undefined;
  },
});

const members = ({ sessions }: Group): string => sessions.map(({ name }) => name).join(', ');

async function list(json: boolean): Promise<void> {
  const groups = await ask((client) => client.groups());
  if (json) return sayJson(groups);
  if (groups.length === 0) return say('no groups yet; sm group add NAME session… makes one');
  sayTable(
    [{ title: 'GROUP' }, { title: 'SESSIONS', text: true }],
    groups.map((group) => [{ text: `@${group.name}`, style: 'bold' }, members(group)]),
  );
}
