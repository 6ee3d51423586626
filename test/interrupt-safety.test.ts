// Where the interrupt protocol keeps its hands off: no Ctrl-C that could end an agent, also after a crash.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TAKEN_MS } from '../src/composer/interrupt-window.js';
import type { Draft } from '../src/composer/protocol.js';
import { endFakes } from './support/fake-pane.js';
import {
  isInterrupt,
  isPaste,
  MESSAGE,
  NO_KEYS,
  PROFILE,
  Scene,
  WINDOW_MS,
} from './support/interrupt-scene.js';
import { TestTmux, until } from './support/tmux.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(() => endFakes(tmux));

const start = (args: string[] = [], size: { width?: number; height?: number } = {}): Promise<Scene> =>
  Scene.start(tmux, args, size);

describe('never a Ctrl-C', () => {
  test('on an empty box: the message goes straight in', async () => {
    const scene = await start(['--ctrl-c', 'exit-empty']);
    const protocol = scene.protocol();
    expect(await protocol.load()).toMatchObject({ kind: 'loaded', draft: null });
    expect((await scene.agent.draft()).text).toBe(MESSAGE);
    expect(scene.interrupts()).toEqual([]);
    await scene.submit(protocol);
    expect(await protocol.restore(null, 'nothing')).toMatchObject({ kind: 'restored' });
    expect(scene.agent.submissions()).toEqual([MESSAGE]);
  });

  test('where that ends the agent and only text behind the caret tells of a draft', async () => {
    const scene = await start(['--ctrl-c', 'exit-empty']);
    await scene.type('draft');
    await scene.agent.press('Home');
    await scene.settled();
    const interrupt = { exitWindowMs: WINDOW_MS, exitsWhenEmpty: true };
    const loaded = await scene.protocol({ profile: { ...NO_KEYS, interrupt } }).load();
    expect(loaded).toMatchObject({ kind: 'refused', reason: 'draft_unreadable' });
    expect(scene.steps).toEqual([]);
  });

  test('at a dialog', async () => {
    const scene = await start();
    await scene.type('draft');
    process.kill(scene.agent.pid(), 'SIGUSR1');
    await until(() => scene.agent.count('dialog'), 'the dialog');
    await scene.settled();
    expect(await scene.protocol().load()).toMatchObject({ kind: 'refused', reason: 'not_at_prompt' });
    expect(scene.steps).toEqual([]);
    expect(scene.agent.count('deny')).toBe(0);
  });

  test('where the box was never seen empty, or it is not known what the key does', async () => {
    const scene = await start();
    await scene.type('draft');
    const { interrupt: _unknown, ...profile } = PROFILE;
    expect(await scene.protocol({ profile }).load()).toMatchObject({ kind: 'refused' });
    expect(scene.steps).toEqual([]);
  });

  test('for a message that could not be seen whole', async () => {
    const scene = await start([], { height: 8 });
    await scene.type('draft');
    expect(await scene.protocol().load()).toMatchObject({ kind: 'loaded' });
    const small = await start([], { height: 5 });
    await small.type('draft');
    expect(await small.protocol().load()).toMatchObject({ kind: 'refused', reason: 'text_not_found' });
    expect(small.steps).toEqual([]);
  });
});

describe('never two of them within the window', () => {
  const gaps = (times: readonly number[]): number[] => times.slice(1).map((t, i) => t - (times[i] as number));

  test('however often it is tried, and however often the daemon starts anew', async () => {
    const scene = await start();
    const deliveries = 3;
    for (let done = 0; done < deliveries; ) {
      await scene.type('draft');
      // A new protocol each time, with nothing but the journal to go by.
      let tries = 0;
      let draft: Draft | null = null;
      for (;;) {
        const protocol = scene.protocol();
        const loaded = await protocol.load();
        tries++;
        if (loaded.kind === 'loaded') {
          draft = loaded.draft;
          await scene.submit(protocol);
          break;
        }
        expect(loaded).toMatchObject({ kind: 'refused', reason: 'not_at_prompt' });
      }
      if (done > 0) expect(tries).toBeGreaterThan(1);
      expect(draft?.text).toBe('draft');
      done++;
    }
    expect(scene.interrupts()).toHaveLength(deliveries);
    for (const gap of gaps(scene.interrupts())) expect(gap).toBeGreaterThanOrEqual(WINDOW_MS);
    expect(scene.isAlive()).toBe(true);
    expect(scene.agent.submissions()).toHaveLength(deliveries);
  });

  test('two senders at the same moment: one of them waits', async () => {
    const scene = await start();
    await scene.type('draft');
    const results = await Promise.all([scene.protocol().load(), scene.protocol().load()]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['loaded', 'refused']);
    expect(scene.interrupts()).toHaveLength(1);
  });

  test('the daemon dies right after the key: the next one waits', async () => {
    const scene = await start();
    await scene.type('draft');
    const dying = scene.protocol({
      before: async (strokes) => {
        if (!isPaste(strokes)) return undefined;
        throw new Error('killed');
      },
    });
    await expect(dying.load()).rejects.toThrow('killed');
    expect(scene.interrupts()).toHaveLength(1);
    const next = scene.protocol();
    expect(await next.recover('reading', scene.saved.at(-1) ?? null)).toMatchObject({
      submitted: false,
      restored: { kind: 'restored' },
    });
    expect((await scene.agent.draft()).text).toBe('draft');
    await scene.settled();
    expect(await next.load()).toMatchObject({ kind: 'refused', reason: 'not_at_prompt' });
    expect(scene.interrupts()).toHaveLength(1);
  });

  test('an agent that stands still takes it late: until it is seen to, no other is pressed', async () => {
    const scene = await start();
    await scene.type('draft');
    // The keys are on their way, as in front of a program that does not read.
    const first = scene.protocol({
      before: async (strokes) => (isInterrupt(strokes) ? { outcome: 'injected' } : undefined),
    });
    expect(await first.load()).toMatchObject({ kind: 'stuck', draft: { text: 'draft' } });
    const saved = scene.saved.at(-1) ?? null;
    expect(await first.restore(saved, 'ours')).toMatchObject({ kind: 'mismatch', found: 'draft' });
    // Longer ago than the window by now, yet not taken.
    for (const ms of [WINDOW_MS, TAKEN_MS - 10_000]) {
      const clock = () => Date.now() + ms;
      expect(await scene.protocol({ clock }).load()).toMatchObject({
        kind: 'refused',
        reason: 'not_at_prompt',
      });
    }
    await scene.agent.press('Space', 'C-c');
    expect(await scene.protocol().recover('reading', saved)).toMatchObject({
      restored: { kind: 'restored' },
    });
    expect((await scene.agent.draft()).text).toBe('draft');
    expect(scene.interrupts()).toHaveLength(1);
    expect(scene.isAlive()).toBe(true);
  });

  test("a person's own Ctrl-C counts: they must have been quiet for as long", async () => {
    const scene = await start();
    await scene.agent.press('C-c');
    const pressed = Date.now();
    await scene.type('draft');
    const quiet = { quietSince: () => pressed };
    expect(await scene.protocol(quiet).load()).toMatchObject({ kind: 'refused', reason: 'user_typing' });
    await until(() => Date.now() >= pressed + WINDOW_MS, 'the window to pass');
    expect(await scene.protocol(quiet).load()).toMatchObject({ kind: 'loaded' });
    expect(scene.isAlive()).toBe(true);
  });
});

describe('taking over from a daemon that died', () => {
  const text = 'draft\nof two lines';
  const saved: Draft = { text, caret: null, exact: false };

  test('with our text in the box: it goes, the draft comes back', async () => {
    const scene = await start();
    await scene.type(text);
    expect(await scene.protocol().load()).toMatchObject({ kind: 'loaded' });
    expect(await scene.protocol().recover('typed', saved)).toMatchObject({
      submitted: false,
      restored: { kind: 'restored' },
    });
    expect((await scene.agent.draft()).text).toBe(text);
    expect(scene.agent.submissions()).toEqual([]);
  });

  test('after Enter: it was submitted, the draft comes back', async () => {
    const scene = await start();
    await scene.type(text);
    const protocol = scene.protocol();
    await protocol.load();
    await scene.submit(protocol);
    const recovered = { submitted: true, restored: { kind: 'restored' } };
    expect(await scene.protocol().recover('entered', saved)).toMatchObject(recovered);
    // Once more: it is there already.
    expect(await scene.protocol().recover('restoring', saved)).toMatchObject(recovered);
    expect((await scene.agent.draft()).text).toBe(text);
    expect(scene.agent.submissions()).toEqual([MESSAGE]);
  });

  test('after an Enter that had no effect: it was not', async () => {
    const scene = await start();
    await scene.type(text);
    const protocol = scene.protocol();
    await protocol.load();
    expect(await protocol.check()).toBe('ours');
    expect(await protocol.restore(saved, 'nothing')).toEqual({ kind: 'still_ours' });
    expect(await scene.protocol().recover('entered', saved)).toMatchObject({
      submitted: false,
      restored: { kind: 'restored' },
    });
    expect((await scene.agent.draft()).text).toBe(text);
  });

  test("with a person's new words in the box: they stay", async () => {
    const scene = await start();
    await scene.type('something else');
    expect(await scene.protocol().recover('restoring', saved)).toMatchObject({
      restored: { kind: 'mismatch', found: 'something else' },
    });
    expect((await scene.agent.draft()).text).toBe('something else');
  });
});
