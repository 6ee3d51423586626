// Opens a page in the person's browser, where there is one.
import { spawn } from 'node:child_process';

// Undefined where nobody would see it.
export function opener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (env.SM_BROWSER) return env.SM_BROWSER;
  if (platform === 'darwin') return env.SSH_CONNECTION ? undefined : 'open';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}

// Some openers stay as long as the browser does: one that is not over by then has opened it.
const SOON_MS = 3000;

export function openPage(program: string, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), SOON_MS);
    child.on('error', () => {
      clearTimeout(timer);
      resolve(false);
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
    child.unref();
  });
}
