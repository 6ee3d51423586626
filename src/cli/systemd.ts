// systemd's manager of this user, where there is one.
import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { CliError, EXIT } from './errors.js';
import { UNIT } from './service-unit.js';

const run = promisify(execFile);

export interface Ran {
  ok: boolean;
  // What it printed, or why it could not be run.
  text: string;
}

export async function systemctl(...args: string[]): Promise<Ran> {
  try {
    const { stdout } = await run('systemctl', ['--user', ...args]);
    return { ok: true, text: stdout.trim() };
  } catch (error) {
    const { stdout, stderr, message, code } = error as Error & {
      stdout?: string;
      stderr?: string;
      code?: unknown;
    };
    const why =
      code === 'ENOENT' ? 'there is no systemctl on this machine' : stderr?.trim() || stdout?.trim();
    return { ok: false, text: (why || message).split('\n')[0] ?? '' };
  }
}

// Why there is no manager that answers; undefined where there is one.
export async function missingSystemd(): Promise<string | undefined> {
  const { ok, text } = await systemctl('show-environment');
  return ok ? undefined : text;
}

export async function order(...args: string[]): Promise<void> {
  const { ok, text } = await systemctl(...args);
  if (!ok) throw new CliError(`systemctl --user ${args.join(' ')} failed: ${text}`, EXIT.failed);
}

// Also where no manager answers: then there is nothing but the file. False if it was not there.
export async function removeUnit(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const answers = (await missingSystemd()) === undefined;
  if (answers) await order('disable', '--now', UNIT);
  rmSync(file, { force: true });
  if (answers) await order('daemon-reload');
  return true;
}
