// Starts the daemon as `sm up` does.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../cli/main.js', import.meta.url));

export async function startDaemon(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [CLI, 'up'], { env });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`no daemon runs, and it cannot be started: ${stderr?.trim() || message}`);
  }
}
