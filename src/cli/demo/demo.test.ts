import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

// Everything of the demo is below it, or has it in its environment: the marker that nothing is left of.
let temp: string;

beforeEach(() => {
  temp = mkdtempSync(path.join(os.tmpdir(), 'smd-'));
});
afterEach(() => rmSync(temp, { recursive: true }));

interface Ended {
  code: number | null;
  output: string;
}

interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  // Resolves once it has printed this.
  printed(text: string): Promise<void>;
}

function demo(env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [path.join(ROOT, 'dist/cli/main.js'), 'demo', '--fast'], {
    env: { ...process.env, TMPDIR: temp, FORCE_COLOR: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      for (const look of listeners) look();
    });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, output })));
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (output.includes(text) && resolve());
      listeners.add(look);
      look();
    });
  return { child, ended, printed };
}

// The processes that know of the folder, by their command line or their environment.
function processes(): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid))
    .flatMap((pid) => {
      try {
        const [words = '', env = ''] = ['cmdline', 'environ'].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8'),
        );
        return words.includes(temp) || env.includes(temp) ? [`${pid} ${words.replaceAll('\0', ' ')}`] : [];
      } catch {
        return [];
      }
    });
}

// The watchdog of a hold looks every half second whether it is still needed; all else has ended by now.
async function expectNothingLeft(): Promise<void> {
  expect(readdirSync(temp)).toEqual([]);
  if (process.platform !== 'linux') return;
  await expect.poll(processes, { timeout: 3000 }).toEqual([]);
  expect(readdirSync(temp)).toEqual([]);
}

it('shows that the message arrives once and the draft stays whole, and leaves nothing behind', async () => {
  const { code, output } = await demo({ TMUX: '/nowhere/default,1,0', TMUX_PANE: '%0' }).ended;
  expect(code, output).toBe(0);
  expect(output).toMatch(/held +a person pressed a key/);
  expect(output).toMatch(/draft +the draft is on disk/);
  expect(output).toMatch(/draft +it is back in the box/);
  expect(output).toMatch(/ada → bob +typed/);
  expect(output).toMatch(/ada → bob +submitted/);
  for (const claim of [
    "ada's message reached bob once, byte for byte",
    "the person's prompt reached bob as typed, alone, in one piece",
    'their draft made room for the mail and came back byte for byte',
    'nothing was ever mixed with it',
    "bob's answer reached ada once, byte for byte",
    'nothing else was submitted',
  ])
    expect(output).toContain(`✓ ${claim}`);
  expect(output).not.toContain('\x1b');
  expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  await expectNothingLeft();
});

it.each([
  ['while its daemon starts', 'No model, no key'],
  ['while the person types', 'is at the keys'],
])('cleans up after Ctrl-C %s', async (_when, text) => {
  const { child, ended, printed } = demo();
  await printed(text);
  child.kill('SIGINT');
  const { code, output } = await ended;
  expect(code, output).toBe(130);
  expect(output).toContain('Stopped, and cleaned up.');
  expect(output).not.toContain('What was proved');
  await expectNothingLeft();
});

it('cleans up when nobody reads on', async () => {
  const { child, ended, printed } = demo();
  await printed('Nobody is typing');
  child.stdout?.destroy();
  expect((await ended).code).toBe(0);
  await expectNothingLeft();
});
