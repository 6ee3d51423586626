import type { Host, HostCheck } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { oneLine, paint, say, sayJson } from '../print.js';
import { type Cell, sayTable } from '../table.js';

const VERBS = ['add', 'ls', 'rm', 'check'] as const;

export default defineCommand({
  about: [
    'Another machine needs tmux 3.3 or newer and your ssh key, and nothing of Suremail. Your own ssh configuration and agent are used; nobody is asked anything.',
    'A host key that ssh does not know is never accepted: run "ssh DESTINATION" once yourself.',
    'Then: sm new --host NAME, sm adopt NAME:target.',
  ],
  args: [
    { name: 'verb', optional: true, choices: VERBS, help: 'add, ls, rm or check; otherwise ls' },
    { name: 'name', optional: true, help: 'how the machine is called here', completes: 'hosts' },
    {
      name: 'destination',
      optional: true,
      help: 'as ssh takes it: user@machine, or a name of your ssh configuration',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm host add box me@box.example.org', does: 'remember a machine, and try to reach it' },
    { run: 'sm host', does: 'all of them, and whether they are reached' },
    { run: 'sm host check box', does: 'each step of the way there, and what fails' },
    { run: 'sm host rm box', does: 'forget it; refused while there are sessions on it' },
  ],
  exits: [[EXIT.refused, 'add, check: it cannot be reached (and is added); rm: there are sessions on it']],
  async run({ args, options: { json } }) {
    const { verb = 'ls', name, destination } = args;
    if (destination !== undefined && verb !== 'add')
      throw new UsageError(`sm host ${verb} takes no destination`, 'sm host add NAME DESTINATION does');
    if (verb === 'ls') {
      if (name !== undefined)
        throw new UsageError('sm host ls takes no name', 'sm host check NAME looks at one');
      await list(json);
      return undefined;
    }
    if (name === undefined)
      throw new UsageError(`name is missing: sm host ${verb} NAME`, 'sm host lists them');
    if (verb === 'rm') {
      const host = await ask((client) => client.removeHost(name));
      if (json) sayJson(host);
      else say(`forgot ${host.name} (${oneLine(host.destination)})`);
      return undefined;
    }
    if (verb === 'check') return check(await ask((client) => client.checkHost(name)), json);
    if (destination === undefined)
      throw new UsageError(
        'destination is missing: sm host add NAME DESTINATION',
        'it is what you give to ssh',
      );
    return add(name, destination, json);
  },
});

// That it cannot be reached now does not keep it from being added.
async function add(name: string, destination: string, json: boolean): Promise<number | undefined> {
  const host = await ask((client) => client.addHost({ name, destination }));
  if (!json) say(`added ${host.name} (${oneLine(host.destination)})`);
  const found = await ask((client) => client.checkHost(name));
  if (json) sayJson(found.host);
  else sayCheck(found);
  return found.ok ? undefined : EXIT.refused;
}

function check(found: HostCheck, json: boolean): number | undefined {
  if (json) sayJson(found);
  else sayCheck(found);
  return found.ok ? undefined : EXIT.refused;
}

const STYLES = { ok: 'green', failed: 'red', 'not tried': 'dim' } as const;

function sayCheck({ steps }: HostCheck): void {
  for (const { step, state, detail } of steps)
    say(`${paint(STYLES[state], state.padEnd(9))}  ${step}${detail ? `: ${oneLine(detail)}` : ''}`);
}

async function list(json: boolean): Promise<void> {
  const hosts = await ask((client) => client.hosts());
  if (json) return sayJson(hosts);
  if (hosts.length === 0) return say('no hosts yet; sm host add NAME DESTINATION adds one');
  const columns = [
    { title: 'NAME' },
    { title: 'STATE' },
    { title: 'SESSIONS', right: true },
    { title: 'TMUX' },
    { title: 'DESTINATION', text: true },
    { title: 'NOTE', text: true },
  ];
  sayTable(columns, hosts.map(row));
}

const STATE_STYLES = { up: 'green', connecting: 'yellow', down: 'red', idle: 'dim' } as const;

const row = ({ name, state, sessions, tmux, destination, reason }: Host): Cell[] => [
  { text: name, style: 'bold' },
  { text: state, style: STATE_STYLES[state] },
  String(sessions),
  tmux ?? '-',
  oneLine(destination),
  oneLine(reason ?? ''),
];
