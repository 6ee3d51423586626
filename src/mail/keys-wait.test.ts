// Keys wait on only for what was cut off half done, and for as long as there is somebody to come back to it.
import { expect, test, vi } from 'vitest';
import type { DirectInput } from '../composer/index.js';
import type { KeyHold } from '../tmux/index.js';
import type { Delivery } from './delivery.js';
import { freeLater } from './direct-way.js';
import { whileKeysWait } from './keys-wait.js';

function scene() {
  const link = { state: { kind: 'up' }, clientPid: 1 as number | undefined };
  const hold = { pane: { link } } as unknown as KeyHold;
  const became: string[] = [];
  const keeper = {
    leave: async () => void became.push('left'),
    release: async () => void became.push('released'),
  };
  let rounds = new AbortController();
  const delivery = {
    deps: { keeper, config: { holdMaxMs: 1000 } },
    signal: () => rounds.signal,
  } as unknown as Delivery;
  const cancel = (): void => {
    rounds.abort();
    rounds = new AbortController();
  };
  return { link, hold, became, delivery, cancel, end: () => rounds.abort() };
}
type Scene = ReturnType<typeof scene>;

const enters =
  (kind: string) =>
  ({ link }: Scene): void => {
    link.state = { kind };
  };
const reconnects = ({ link }: Scene): void => {
  link.clientPid = 2;
};

test.each<[string, (at: Scene) => void, string, string]>([
  ['nothing', () => {}, 'released', 'released'],
  ['a lost connection', enters('down'), 'left', 'released'],
  ['a lost connection that is back', reconnects, 'left', 'released'],
  ['a cancel', ({ cancel }) => cancel(), 'left', 'released'],
  ['the end of everything', ({ end }) => end(), 'released', 'released'],
  ['the end of its session', enters('gone'), 'released', 'released'],
])('cut by %s', async (_, cut, halfDone, done) => {
  for (const fails of [false, true])
    for (const isHalfDone of [true, false]) {
      const at = scene();
      const work = async (): Promise<void> => {
        cut(at);
        if (fails) throw new Error('the disk is full');
      };
      await whileKeysWait(at.delivery, at.hold, () => isHalfDone, work).catch(() => {});
      expect(at.became).toEqual([isHalfDone ? halfDone : done]);
    }
});

test('keys that wait for a slow program go once it is known again that it shows nothing', () => {
  vi.useFakeTimers();
  try {
    const at = scene();
    const input = { hold: { name: 'SMHOLD', value: 'a' } } as unknown as DirectInput;
    enters('down')(at);
    freeLater(at.delivery, input, at.hold);
    vi.advanceTimersByTime(1500);
    expect([at.became, input.hold?.value]).toEqual([[], 'a']);
    at.link.state = { kind: 'up' };
    vi.advanceTimersByTime(5000);
    expect([at.became, input.hold]).toEqual([['released'], undefined]);
  } finally {
    vi.useRealTimers();
  }
});
