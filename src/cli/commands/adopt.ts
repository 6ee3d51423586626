import type { PaneInfo } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { UsageError } from '../errors.js';
import { PAST_DRAFT_OPTION, pastDraftFrom } from '../past-draft.js';
import { note, oneLine, say, sayJson } from '../print.js';
import { paneFrom } from '../sender.js';
import { socketFrom } from '../socket-option.js';

export default defineCommand({
  about: [
    'Without a target it lists the panes that look like agents.',
    'Inside tmux it means the server you are in, as tmux itself does; otherwise the default one.',
    'HOST:target means a pane on another machine (sm host), where there is a host of that name.',
  ],
  args: [
    {
      name: 'target',
      optional: true,
      help: 'a tmux target; a pane id such as %12 is the surest',
      completes: 'panes',
    },
  ],
  options: {
    all: { kind: 'flag', help: 'list all panes, not only those that look like agents' },
    empty: { kind: 'flag', help: 'you can see that its input box is empty now' },
    name: { kind: 'text', value: 'NAME', help: 'its name; otherwise one is made from the program' },
    agent: { kind: 'text', value: 'AGENT', help: 'the profile to use; otherwise told from the program' },
    host: {
      kind: 'text',
      value: 'HOST',
      help: 'list the panes of another machine: see sm host',
      completes: 'hosts',
    },
    socket: {
      kind: 'text',
      value: 'SOCKET',
      help: 'another tmux server: a name (tmux -L) or a path (tmux -S)',
      completes: 'files',
    },
    'past-draft': PAST_DRAFT_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm adopt', does: 'list the panes that look like agents' },
    { run: 'sm adopt %12 --name api --empty', does: 'take over a pane whose input box is empty' },
    { run: 'sm adopt work:2.1 --socket private', does: 'a pane of another tmux server' },
    { run: 'sm adopt box:%3', does: 'a pane on another machine' },
  ],
  async run({ args, options }) {
    const { host, target } = await placeOf(args.target, options.host);
    const here =
      host === undefined
        ? socketFrom(options.socket ?? paneFrom(process.env)?.socket)
        : { host, ...(options.socket === undefined ? {} : { socket: options.socket }) };
    if (target === undefined) {
      for (const name of ['empty', 'name', 'agent', 'past-draft'] as const)
        if (options[name]) throw new UsageError(`--${name} needs a target`, 'sm adopt lists the panes');
      await list(here.socket, host, options.all, options.json);
      return undefined;
    }
    if (options.all) throw new UsageError('--all lists panes and takes no target');
    const request = {
      target,
      ...here,
      ...(options.empty ? { empty: true } : {}),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...pastDraftFrom(options['past-draft']),
    };
    const session = await ask((client) => client.adopt(request));
    if (options.json) sayJson(session);
    else
      say(`adopted ${session.pane} as ${session.name} (${session.id}): ${session.agent}, ${session.state}`);
    return undefined;
  },
});

// tmux writes SESSION:WINDOW the same way: only a host that there is counts.
async function placeOf(
  word: string | undefined,
  option: string | undefined,
): Promise<{ host: string | undefined; target: string | undefined }> {
  const [, name, rest] = /^([A-Za-z0-9][A-Za-z0-9._-]*):(.*)$/.exec(word ?? '') ?? [];
  if (option !== undefined || name === undefined) return { host: option, target: word };
  const hosts = await ask((client) => client.hosts());
  if (!hosts.some((host) => host.name === name)) return { host: undefined, target: word };
  return { host: name, target: rest === '' ? undefined : rest };
}

async function list(
  socket: string | undefined,
  host: string | undefined,
  all: boolean,
  json: boolean,
): Promise<void> {
  const panes = await ask((client) => client.panes(socket, host));
  const shown = all ? panes : panes.filter(({ agent }) => agent !== null);
  if (json) return sayJson(shown);
  if (shown.length === 0)
    return say(all ? 'no panes' : 'no pane looks like an agent; sm adopt --all lists all panes');
  const { sayTable } = await import('../table.js');
  const columns = [
    { title: 'PANE' },
    { title: 'TARGET' },
    { title: 'PROGRAM' },
    { title: 'AGENT' },
    { title: 'SESSION' },
  ];
  sayTable([...columns, { title: 'FOLDER', text: true }, { title: 'TITLE', text: true }], shown.map(row));
  if (process.stdout.isTTY) note('\nsm adopt PANE takes one over.');
}

const row = ({ pane, target, program, agent, session, cwd, title }: PaneInfo): string[] =>
  [pane, target, program, agent ?? '-', session ?? '-', cwd, title].map(oneLine);
