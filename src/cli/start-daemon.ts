// Starts the daemon as a process of its own and waits until it listens.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Home, makeHome } from '../api/locate.js';
import type { Status } from '../api/types.js';
import { connect, isAbsent } from './connect.js';
import { CliError, EXIT } from './errors.js';

const READY_MS = 15_000;
const LOOK_MS = 25;
const DAEMON = fileURLToPath(new URL('../daemon/main.js', import.meta.url));

// True if this call started it, false if another has been quicker.
export async function startDaemon(home: Home, script = DAEMON, deadlineMs = READY_MS): Promise<boolean> {
  const end = Date.now() + deadlineMs;
  const child = launch(home, script);
  const line = await firstLine(child, deadlineMs);
  child.unref();
  if (line === 'late')
    throw cannotStart(
      `it has not answered within ${deadlineMs / 1000} s and may still come up (pid ${child.pid})`,
      'sm logs shows what it does',
    );
  const [, word, rest = ''] = /^(ready|running|failed) (\{.*\})$/.exec(line) ?? [];
  if (word === 'ready') return true;
  if (word === 'failed') throw cannotStart((JSON.parse(rest) as { message: string }).message);
  if (word !== 'running') throw cannotStart('it ended before it was ready', await lastWords(home));
  await untilAnswers(home, end);
  return false;
}

function launch(home: Home, script: string): ChildProcess {
  if (!existsSync(script))
    throw cannotStart(
      `${script} does not exist`,
      'install suremail again, or run `npm run build` in its repository',
    );
  const env: NodeJS.ProcessEnv = { ...process.env, SM_HOME: home.folder, SM_CONFIG: home.config };
  // It serves every pane, so it must not believe that it lives in this one.
  delete env.TMUX;
  delete env.TMUX_PANE;
  delete env.SM_SESSION;
  try {
    makeHome(home.folder);
    // What a dying process writes to stderr belongs in the log; a pipe would end with this command.
    const log = openSync(home.log, 'a', 0o600);
    return spawn(process.execPath, [script], {
      cwd: home.folder,
      env,
      detached: true,
      stdio: ['ignore', log, log, 'pipe'],
    });
  } catch (error) {
    throw cannotStart((error as Error).message);
  }
}

// The line that the daemon writes to descriptor 3; '' if it ends without one.
function firstLine(child: ChildProcess, deadlineMs: number): Promise<string> {
  const pipe = child.stdio[3] as Readable;
  return new Promise((resolve) => {
    let text = '';
    const finish = (line: string): void => {
      clearTimeout(timer);
      pipe.destroy();
      resolve(line);
    };
    const timer = setTimeout(finish, deadlineMs, 'late');
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) finish(text.slice(0, text.indexOf('\n')));
    });
    pipe.on('end', () => finish(text));
    pipe.on('error', () => finish(text));
    child.on('error', (error) => finish(`failed ${JSON.stringify({ message: error.message })}`));
  });
}

// The daemon that was quicker may hold the home and not listen yet; so may one that somebody else starts.
export async function untilAnswers(home: Home, end = Date.now() + READY_MS): Promise<Status> {
  for (;;) {
    try {
      return await connect(home).status();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (Date.now() > end)
        throw cannotStart(
          'another daemon holds the home folder and does not answer',
          `the home folder is ${home.folder}`,
        );
      await delay(LOOK_MS);
    }
  }
}

async function lastWords(home: Home): Promise<string> {
  const { lastLines } = await import('./log-file.js');
  const { prettyLine } = await import('./log-line.js');
  const { lines } = await lastLines(home.log, 10);
  return [`the end of ${home.log}:`, ...lines.map((line) => `  ${prettyLine(line)}`)].join('\n');
}

const cannotStart = (why: string, hint?: string): CliError =>
  new CliError(`cannot start the daemon: ${why}`, EXIT.noDaemon, hint);
