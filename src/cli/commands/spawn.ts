import path from 'node:path';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { FILE_OPTION, messageText, TEXT_ARGUMENT } from '../message-text.js';
import { say, sayJson } from '../print.js';
import { senderFrom } from '../sender.js';
import { socketFrom } from '../socket-option.js';
import { shellEnvironment } from '../start-environment.js';

export default defineCommand({
  about: [
    'Starts the agent that the configuration names (spawn_agent, claude unless set) in a pane of its own, and sends it the text.',
    'Run by an agent, that agent is its parent, and it runs beside it on the same tmux server: sm children lists it, and it answers with sm reply or sm send @parent.',
  ],
  args: [TEXT_ARGUMENT],
  options: {
    file: FILE_OPTION,
    agent: {
      kind: 'text',
      value: 'COMMAND',
      help: 'another command line, its words parted by blanks; sm new takes any',
      field: 'command',
    },
    profile: {
      kind: 'text',
      value: 'AGENT',
      help: 'the profile to use; otherwise told from the program',
      field: 'agent',
    },
    name: { kind: 'text', value: 'NAME', help: 'its name; otherwise one is made from the program' },
    cwd: { kind: 'text', value: 'FOLDER', help: 'where it runs; otherwise here', completes: 'folders' },
    group: { kind: 'list', value: 'GROUP', help: 'put it into a group (repeatable)', field: 'groups' },
    socket: {
      kind: 'text',
      value: 'SOCKET',
      help: 'another tmux server: a name (tmux -L) or a path (tmux -S)',
      completes: 'files',
    },
    'no-signals': { kind: 'flag', help: 'do not tell it how to signal', field: 'signals' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm spawn "review the last commit"', does: 'the configured agent, with its first message' },
    {
      run: 'sm spawn --name tests --agent "codex --model o3" "write tests for src/api"',
      does: 'another agent, by name',
    },
  ],
  exits: [[EXIT.refused, 'the program takes no mail; it was ended again']],
  async run({ args, options }) {
    const text = await messageText(args.text, options.file);
    const from = senderFrom(process.env);
    const command = words(options.agent);
    const request = {
      text,
      cwd: path.resolve(options.cwd ?? '.'),
      env: shellEnvironment(process.env),
      ...(from ? { from } : {}),
      ...(command ? { command } : {}),
      ...(options.profile === undefined ? {} : { agent: options.profile }),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.group.length ? { groups: options.group } : {}),
      ...socketFrom(options.socket),
      ...(options['no-signals'] ? { signals: false } : {}),
    };
    const spawned = await ask((client) => client.spawn(request));
    const { session, message } = spawned;
    if (options.json) sayJson(spawned);
    else
      say(
        `started ${session.name} (${session.id}) in pane ${session.pane}; queued ${message.id} for it; sm wait ${message.id}`,
      );
    return undefined;
  },
});

function words(command: string | undefined): string[] | undefined {
  if (command === undefined) return undefined;
  const found = command.split(/\s+/).filter(Boolean);
  if (found.length === 0) throw new UsageError(`--agent "${command}": must be a program and its arguments`);
  return found;
}
