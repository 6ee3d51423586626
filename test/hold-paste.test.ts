// A long paste during a hold, where each key waits for the one before: it comes exact, and its silence is not waited for.
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { SILENT_MS } from '../src/tmux/hold-pace.js';
import { arrives, HoldStage, settled } from './support/hold.js';
import { until } from './support/tmux.js';

const stage = new HoldStage();
afterEach(() => stage.tidy());
afterAll(() => stage.dispose());

const ECHO_PACE = { stepMs: 30, enterMs: 150, echoMs: 400 };
const LETTERS = ['é', '中', 'ß', 'ñ'];

it.each([
  ['alone', '', ''],
  ['between keys', 'k', 'after it'],
])('a thousand letters beyond ASCII, %s', { timeout: 120_000 }, async (name, before, after) => {
  const agent = await stage.recorder(`paste-${name}`, '--bracketed');
  const person = await stage.person(agent.pane.link.sessionId);
  const text = Array.from({ length: 1000 }, (_, i) => LETTERS[i % LETTERS.length]).join('');
  const hold = await stage.hold(agent.pane, { pace: ECHO_PACE });
  // What a release may wait for the cursor to move: the program shows nothing, so it waits to the end.
  const waits = vi.spyOn(agent.pane, 'waitUntil');
  person.send(`${before}\x1b[200~${text}\x1b[201~${after}`);
  await until(() => /SMHOLD_\d+_I=[1-9]/.test(stage.traces()), 'the first key to wait');
  await settled();
  expect(agent.bytes().length).toBe(0);
  const { keys } = await hold.release();
  const askedMs = waits.mock.calls.reduce((sum, [, ms]) => sum + ms, 0);
  // A newer tmux passes a paste on in one, behind the block before the first key.
  expect(askedMs > 0).toBe(keys > 0);
  expect(askedMs).toBeLessThanOrEqual(SILENT_MS);
  await arrives(agent, `${before}\x1b[200~${text}\x1b[201~${after}`);
  expect(stage.traces()).toBe('');
});
