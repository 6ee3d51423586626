import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import os from 'node:os';
import type { Session } from '../../api/types.js';
import { defineCommand } from '../command.js';
import { ask } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { paneFrom } from '../sender.js';

export default defineCommand({
  about: [
    'Inside tmux on the same server it switches this client to the session.',
    'A session of another machine is shown over an ssh connection of its own.',
  ],
  args: [{ name: 'session', help: 'name or id', completes: 'sessions' }],
  options: {},
  examples: [{ run: 'sm attach api', does: 'see it and type into it; the prefix key and d detach' }],
  exits: [[EXIT.refused, 'its pane has gone, or this terminal is inside another tmux server']],
  async run({ args }) {
    const session = await ask((client) => client.session(args.session));
    if (session.state === 'gone') throw new CliError(`${session.name} has no pane any more`, EXIT.refused);
    if (session.host !== null) {
      const [program = 'ssh', ...words] = await (await import('../far-attach.js')).farAttach(session);
      return await runProgram(program, words);
    }
    const select = ['select-window', '-t', session.pane, ';', 'select-pane', '-t', session.pane, ';'];
    return await runProgram('tmux', ['-S', session.socket, ...select, ...show(session)]);
  },
});

function show(session: Session): string[] {
  const here = paneFrom(process.env)?.socket;
  if (here === undefined) return ['attach-session', '-t', session.tmux_session];
  if (samePath(here, session.socket)) return ['switch-client', '-t', session.tmux_session];
  throw new CliError(
    `this terminal is inside the tmux server ${here}, and ${session.name} is on ${session.socket}`,
    EXIT.refused,
    `detach first, or nest them: env -u TMUX sm attach ${session.name}`,
  );
}

function samePath(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return one === other;
  }
}

function runProgram(program: string, words: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const tmux = spawn(program, words, { stdio: 'inherit' });
    // Ctrl-C belongs to what runs in the terminal.
    process.on('SIGINT', () => {});
    tmux.on('error', (error) => reject(new CliError(`cannot run ${program}: ${error.message}`, EXIT.failed)));
    tmux.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
  });
}
