// What Copilot is started with, its turns from its events, what it asks a person, and its own record.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DoorContext, LaunchContext } from '../door.js';
import { inEvents, takenIn } from './events-file.js';
import { KIND } from './index.js';
import { launchCopilot } from './launch.js';

const ID = '0123456789ab';
const { Turns } = await import(new URL('./turns.mjs', import.meta.url).href);
const { Asks } = await import(new URL('./asks.mjs', import.meta.url).href);

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-copilot-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const start = (command: string[], env: Record<string, string> = {}, briefing: string | null = null) =>
  launchCopilot({ command, folder, hooksFolder: '/hooks', briefing, env } as unknown as LaunchContext);

describe('a start', () => {
  test('has our plugin and its flag beside those of the user', () => {
    const launch = start(['copilot', '--banner'], { COPILOT_CLI_ENABLED_FEATURE_FLAGS: 'THEIRS' });
    expect(launch.command).toEqual(['copilot', '--plugin-dir', '/hooks/copilot', '--banner']);
    expect(launch.env.COPILOT_CLI_ENABLED_FEATURE_FLAGS).toBe('THEIRS,EXTENSIONS');
    expect(launch.env.SM_DOOR).toBe(folder);
    expect(launch.env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS).toBeUndefined();
  });

  test('tells about mail in a folder of its own', () => {
    const { env } = start(['copilot'], { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: '/theirs' }, 'about mail');
    const [theirs, ours] = (env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS ?? '').split(',');
    expect(theirs).toBe('/theirs');
    expect(fs.readFileSync(path.join(ours ?? '', 'suremail.instructions.md'), 'utf8')).toContain(
      'about mail',
    );
  });

  test.each([
    ['copilot', '-p', 'x'],
    ['copilot', 'mcp', 'list'],
    ['copilot', '--version'],
  ])('without a session is left alone: %s %s', (...command) =>
    expect(start(command)).toEqual({ command, env: {} }),
  );
});

test('its extension names its folder by the process of the pane, as its door does', () => {
  const module = new URL('./pane-process.mjs', import.meta.url).href;
  const find = `import(${JSON.stringify(module)}).then(({ paneProcess }) => console.log(paneProcess()))`;
  // The pane's process, which starts Copilot, which starts the extension.
  const copilot = `"${process.execPath}" -e '${find}'; true`;
  const pane = spawnSync('sh', ['-c', `echo $$; sh -c "$0"; true`, copilot], {
    env: { TMUX: `/a,b/tmux,${process.pid},0` },
    encoding: 'utf8',
  });
  const [started, found] = pane.stdout.trim().split('\n');
  expect(found).toBe(started);
  const outside = spawnSync(process.execPath, ['-e', find], {
    env: { TMUX: `t,${2 ** 30},0` },
    encoding: 'utf8',
  });
  expect(outside.stdout.trim()).toBe('undefined');
});

test('what a Copilot that is gone has said and was given is not found by the next one in the pane', () => {
  const env = { SM_DOOR: folder };
  const place = (pid: number) =>
    KIND.place({ env, folder, program: { pid, argv: [] } } as unknown as DoorContext);
  expect(place(7)).not.toBe(place(8));
  expect(path.dirname(place(7) ?? '')).toBe(folder);
});

describe('turns', () => {
  const play = (steps: (turns: InstanceType<typeof Turns>) => void): string[] => {
    const told: Record<string, unknown>[] = [];
    steps(new Turns((entry: Record<string, unknown>) => told.push(entry)));
    return told.map(({ kind, turn, how, answer, state }) =>
      [kind, turn ?? state, how, answer].filter((word) => word != null).join(' '),
    );
  };
  const answer = (content: string) => ({ type: 'assistant.message', data: { content } });

  test('are interactions, and the next prompt ends the last', () => {
    const told = play((turns) => {
      turns.prompted({ interactionId: 'a' });
      turns.hear({ type: 'assistant.turn_start', data: { interactionId: 'a' } });
      turns.hear(answer('one'));
      turns.prompted({ interactionId: 'b' });
      turns.hear(answer('two'));
      turns.hear({ type: 'assistant.idle', data: {} });
      turns.hear({ type: 'session.idle', data: {} });
    });
    expect(told).toEqual([
      'status idle',
      'turn_started a',
      'status busy',
      'turn_ended a completed one',
      'turn_started b',
      'turn_ended b completed two',
      'status idle',
    ]);
  });

  test('that were aborted are interrupted, also when the next follows at once', () => {
    const told = play((turns) => {
      turns.prompted({ interactionId: 'a' });
      turns.hear({ type: 'abort', data: {} });
      turns.prompted({ interactionId: 'b' });
    });
    expect(told).toContain('turn_ended a interrupted');
  });

  test('wait while a person is asked', () => {
    const told = play((turns) => {
      turns.prompted({ interactionId: 'a' });
      turns.asks('permission');
      turns.asks('permission');
      turns.asks(null);
    });
    expect(told.slice(-3)).toEqual(['status busy', 'status waiting', 'status busy']);
  });
});

test('a permission is found shortly after the start of its tool, and is over when it is answered', async () => {
  vi.useFakeTimers();
  let pending: string[] = [];
  const told: (string | null)[] = [];
  const asks = new Asks(
    async () => pending,
    (what: string | null) => told.push(what),
  );
  asks.hear({ type: 'tool.execution_start', data: { toolCallId: 't', toolName: 'bash' } });
  pending = ['p'];
  await vi.advanceTimersByTimeAsync(400);
  expect(told.at(-1)).toBe('permission');
  pending = [];
  asks.hear({ type: 'permission.completed', data: { requestId: 'p' } });
  expect(told.at(-1)).toBeNull();
  asks.hear({ type: 'tool.execution_complete', data: { toolCallId: 't' } });
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('its own record', () => {
  const taken = JSON.stringify({
    type: 'user.message',
    data: { content: `[Input from: a (b) via sm send] #${ID}\ntext`, interactionId: 'turn' },
  });

  test('shows what it has taken, and nothing else', () => {
    expect(takenIn(taken, ID)).toEqual({ turn: 'turn' });
    expect(takenIn(taken.replace('user.message', 'assistant.message'), ID)).toBeUndefined();
    expect(takenIn(`no JSON ${ID}`, ID)).toBeUndefined();
  });

  test('tells an extension that is loaded anew what was taken meanwhile', async () => {
    const { takenIn: turnsOf } = await import(new URL('./record.mjs', import.meta.url).href);
    const { Mailbox } = await import(new URL('../extension/mailbox.mjs', import.meta.url).href);
    const file = path.join(folder, 'events.jsonl');
    fs.writeFileSync(file, `{}\nno JSON "user.message"\n${taken}\n`);
    const box = new Mailbox(path.join(folder, 'run'));
    box.hello(path.join(folder, 'earlier'));
    box.hello(file);
    expect(await turnsOf(box.records(), [ID, 'ffffffffffff'])).toEqual(new Map([[ID, 'turn']]));
  });

  test('is searched', async () => {
    const file = path.join(folder, 'events.jsonl');
    expect((await inEvents(file, ID)).at).toBe('nowhere');
    fs.writeFileSync(file, `{}\n${taken}\n`);
    expect(await inEvents(file, ID)).toMatchObject({ at: 'received', turn: 'turn' });
  });
});
