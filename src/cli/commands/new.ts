import path from 'node:path';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { UsageError } from '../errors.js';
import { PAST_DRAFT_OPTION, pastDraftFrom } from '../past-draft.js';
import { say, sayJson } from '../print.js';
import { senderFrom } from '../sender.js';
import { socketFrom } from '../socket-option.js';
import { shellEnvironment } from '../start-environment.js';

export default defineCommand({
  about: [
    'Without "--" the command must be words without options: `sm new claude`.',
    'Run by an agent, that agent is its parent (sm children, sm send @parent).',
  ],
  args: [{ name: 'command', many: true, verbatim: true, help: 'the program and its arguments, as they are' }],
  options: {
    name: { kind: 'text', value: 'NAME', help: 'its name; otherwise one is made from the program' },
    cwd: {
      kind: 'text',
      value: 'FOLDER',
      help: 'where it runs; otherwise here, or on a host at home',
      completes: 'folders',
    },
    agent: { kind: 'text', value: 'AGENT', help: 'the profile to use; otherwise told from the program' },
    env: { kind: 'list', value: 'KEY=VALUE', help: 'set a variable in its environment (repeatable)' },
    host: { kind: 'text', value: 'HOST', help: 'on another machine: see sm host', completes: 'hosts' },
    socket: {
      kind: 'text',
      value: 'SOCKET',
      help: 'another tmux server: a name (tmux -L) or a path (tmux -S)',
      completes: 'files',
    },
    group: { kind: 'list', value: 'GROUP', help: 'put it into a group (repeatable)', field: 'groups' },
    mcp: { kind: 'flag', help: 'give its agent our MCP server (sm mcp) for this run' },
    'no-signals': { kind: 'flag', help: 'do not tell its agent how to signal', field: 'signals' },
    'past-draft': PAST_DRAFT_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm new --name api -- claude', does: 'an agent in a pane of its own' },
    {
      run: 'sm new --name web --cwd ~/web -- codex --model o3',
      does: 'in another folder, with options of its own',
    },
    {
      run: 'sm new --mcp --name review -- claude',
      does: 'an agent that sends mail with tools, without a shell',
    },
    { run: 'sm new --env PORT=3000 -- npm run dev', does: 'any program' },
    { run: 'sm new --host box --cwd /srv/api -- claude', does: 'an agent on another machine' },
  ],
  async run({ args, options }) {
    const from = senderFrom(process.env);
    const request = {
      command: args.command,
      ...whereFrom(options),
      ...(from ? { from } : {}),
      ...(options.group.length ? { groups: options.group } : {}),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...pastDraftFrom(options['past-draft']),
      ...(options.mcp ? { mcp: true } : {}),
      ...(options['no-signals'] ? { signals: false } : {}),
    };
    const session = await ask((client) => client.start(request));
    if (options.json) sayJson(session);
    else
      say(
        `started ${session.name} (${session.id}) in pane ${session.pane}; sm attach ${session.name} shows it`,
      );
    return undefined;
  },
});

// What is here, its folders, variables and sockets, means nothing on another machine.
function whereFrom({ host, cwd, env, socket }: Where) {
  if (host === undefined)
    return {
      cwd: path.resolve(cwd ?? '.'),
      env: { ...shellEnvironment(process.env), ...environment(env) },
      ...socketFrom(socket),
    };
  return {
    host,
    env: environment(env),
    ...(cwd === undefined ? {} : { cwd }),
    ...(socket === undefined ? {} : { socket }),
  };
}

interface Where {
  host: string | undefined;
  cwd: string | undefined;
  env: string[];
  socket: string | undefined;
}

function environment(pairs: string[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const pair of pairs) {
    const [, key, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined)
      throw new UsageError(`--env "${pair}": must be KEY=VALUE, the key of letters, digits and "_"`);
    env[key] = value;
  }
  return env;
}
