// A look that fails counts as one that has read nothing; one that was cut off, and what has been read, do not.
import { expect, test } from 'vitest';
import type { Tracker } from '../sessions/index.js';
import type { PaneView } from '../tmux/index.js';
import { UnreadBox } from './unread-box.js';

const view = { rows: [] } as unknown as PaneView;
const tracker = { pane: { view: async () => view } } as unknown as Tracker;
const fails = async (): Promise<never> => {
  throw new Error('the disk is full');
};

test('a box whose look fails is left alone for a while, longer once it has failed for long', async () => {
  let now = 1000;
  const box = new UnreadBox(() => now);
  const look = (wasCut: boolean): Promise<void> =>
    box
      .looking(
        'a',
        view,
        () => wasCut,
        async () => {
          // It was read, and what follows from that could not be written.
          box.forget();
          return fails();
        },
      )
      .catch(() => {});
  await look(true);
  expect(await box.closedUntil('a', tracker)).toBeUndefined();
  await look(false);
  expect([await box.closedUntil('a', tracker), await box.closedUntil('b', tracker)]).toEqual([
    3000,
    undefined,
  ]);
  now = 62_000;
  await look(false);
  expect(await box.closedUntil('a', tracker)).toBe(92_000);
  expect(
    await box.looking(
      'a',
      view,
      () => false,
      async () => 'read',
    ),
  ).toBe('read');
});
