// A viewer joins picture and stream without a gap and without a double, and is never owed more than a little.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Painted, Session } from '../sessions/index.js';
import { Emitter, type LinkState } from '../tmux/index.js';
import { MOST_WAITING, TerminalViewer, type ViewerFrame } from './terminal-viewer.js';

const output = new Emitter<Buffer>();
const resync = new Emitter<void>();
const notification = new Emitter<{ type: string }>();
const tracker = {
  paneId: '%1',
  printedBytes: 0,
  pane: {
    onOutput: output.event,
    format: async () => `${size.columns} ${size.rows}`,
    link: {
      state: { kind: 'up' } as LinkState,
      onResync: (_: string, listener: () => void) => resync.event(listener),
      onState: () => ({ dispose: () => {} }),
      onNotification: notification.event,
    },
  },
  painted: (scrollback: number, begun?: () => void): Promise<Painted> =>
    new Promise((resolve, reject) => {
      let picture: Painted | undefined;
      // As tmux answers: what was printed by then is in the picture, what is printed later is not.
      const begin = (): Painted => {
        begun?.();
        const seq = tracker.printedBytes;
        return { seq, ...size, alternate: false, title: '', paint: Buffer.from(`P${seq}`) };
      };
      asked.push({
        scrollback,
        begin: () => {
          picture = begin();
        },
        answer: () => resolve(picture ?? begin()),
        fail: () => reject(new Error('not connected')),
      });
    }),
};
let asked: { scrollback: number; begin: () => void; answer: () => void; fail: () => void }[];
let size: { columns: number; rows: number };
let got: (ViewerFrame | string)[];
let waiting: number;
let viewer: TerminalViewer;

const print = (text: string): void => {
  const data = Buffer.from(text);
  // The tracker counts first.
  tracker.printedBytes += data.length;
  output.fire(data);
};
const answer = async (): Promise<void> => {
  asked.shift()?.answer();
  await vi.advanceTimersByTimeAsync(0);
};
const bytes = (): string[] => got.filter((one): one is string => typeof one === 'string');

beforeEach(() => {
  vi.useFakeTimers();
  [asked, got, waiting, tracker.printedBytes] = [[], [], 0, 0];
  size = { columns: 80, rows: 24 };
  tracker.pane.link.state = { kind: 'up' };
  viewer = new TerminalViewer({ tracker, row: {} } as unknown as Session, {
    frame: (frame) => got.push(frame),
    bytes: (data) => {
      const isPicture = data[0] === 0x50;
      got.push(isPicture ? String(data) : `${data.readBigUInt64BE(0)}:${data.subarray(8)}`);
    },
    get waiting() {
      return waiting;
    },
  });
});
afterEach(() => {
  viewer.dispose();
  vi.useRealTimers();
  expect([output.size, resync.size, notification.size]).toEqual([0, 0, 0]);
});

test('what is printed before the answer is in the picture, what comes right behind it is not', async () => {
  print('before');
  asked[0]?.answer();
  // Read in the same breath as the answer.
  print('behind');
  await vi.advanceTimersByTimeAsync(20);
  print('later');
  await vi.advanceTimersByTimeAsync(20);
  expect(bytes()).toEqual(['P6', '6:behind', '12:later']);
});

test('what comes in short order goes as one frame', async () => {
  await answer();
  print('a');
  await vi.advanceTimersByTimeAsync(1);
  for (const char of 'bcd') print(char);
  await vi.advanceTimersByTimeAsync(20);
  expect(bytes()).toEqual(['P0', '0:a', '1:bcd']);
});

test('a viewer that does not read gets nothing more until all has left, then a new picture', async () => {
  await answer();
  waiting = MOST_WAITING + 1;
  print('one');
  await vi.advanceTimersByTimeAsync(20);
  print('two');
  // Not even a picture that is due.
  resync.fire();
  viewer.look();
  await vi.advanceTimersByTimeAsync(1000);
  expect([bytes(), asked.length]).toEqual([['P0', '0:one'], 0]);
  waiting = 10;
  viewer.sent();
  expect(asked).toHaveLength(0);
  waiting = 0;
  viewer.sent();
  expect(asked).toHaveLength(1);
  await answer();
  print('three');
  await vi.advanceTimersByTimeAsync(20);
  expect(bytes().slice(2)).toEqual(['P6', '6:three']);
});

test('a flood becomes a few pictures with little scrollback, and a whole one when it is over', async () => {
  await answer();
  for (let n = 0; n < 20; n++) {
    print('x'.repeat(64 * 1024));
    await vi.advanceTimersByTimeAsync(10);
    if (asked.length > 0) await answer();
  }
  const streamed = bytes().reduce((sum, each) => sum + each.length, 0);
  expect(streamed).toBeLessThan(600 * 1024);
  // Whatever is asked for while it goes on.
  for (const { scrollback } of asked) expect(scrollback).toBeLessThan(100);
  await vi.advanceTimersByTimeAsync(200);
  await answer();
  await vi.advanceTimersByTimeAsync(300);
  expect(asked.map(({ scrollback }) => scrollback)).toEqual([5000]);
  await answer();
  expect(bytes().at(-1)).toBe(`P${tracker.printedBytes}`);
});

test('output that was missed is made good by a new picture', async () => {
  await answer();
  resync.fire();
  print('seen and in the picture');
  await answer();
  print('!');
  await vi.advanceTimersByTimeAsync(20);
  expect(bytes()).toEqual(['P0', 'P23', '23:!']);
});

test('one picture at a time: asked for before it has begun it is that one, later one more follows', async () => {
  viewer.look();
  resync.fire();
  expect(asked).toHaveLength(1);
  await answer();
  expect([bytes(), asked.length]).toEqual([['P0'], 0]);
  viewer.look();
  asked[0]?.begin();
  for (let n = 0; n < 5; n++) viewer.look();
  resync.fire();
  expect(asked).toHaveLength(1);
  await answer();
  expect(asked).toHaveLength(1);
  await answer();
  expect([bytes(), asked.length]).toEqual([['P0', 'P0', 'P0'], 0]);
});

test('a size that changes while a picture is taken is made good by another, and one that it has is not', async () => {
  await answer();
  const sizes = (): unknown[] =>
    got.flatMap((one) => (typeof one === 'object' && one.type === 'resized' ? [one.columns] : []));
  size = { columns: 70, rows: 24 };
  notification.fire({ type: 'layout-change' });
  await vi.advanceTimersByTimeAsync(0);
  notification.fire({ type: 'layout-change' });
  await vi.advanceTimersByTimeAsync(0);
  await answer();
  expect([sizes(), asked.length]).toEqual([[70], 0]);
  viewer.look();
  asked[0]?.begin();
  size = { columns: 60, rows: 24 };
  notification.fire({ type: 'layout-change' });
  await vi.advanceTimersByTimeAsync(0);
  await answer();
  expect(asked).toHaveLength(1);
  await answer();
  expect([sizes(), asked.length]).toEqual([[70, 60], 0]);
});

test('a viewer that asks for pictures and does not read them is owed no more than a little', async () => {
  await answer();
  waiting = MOST_WAITING + 1;
  for (let n = 0; n < 5; n++) {
    viewer.look();
    await answer();
  }
  expect(bytes()).toEqual(['P0']);
  waiting = 0;
  viewer.sent();
  await answer();
  expect(bytes()).toEqual(['P0', 'P0']);
});

test('where the connection to its tmux is lost, that is said, with the reason', async () => {
  tracker.pane.link.state = { kind: 'down', reason: 'box cannot be reached' };
  asked.shift()?.fail();
  await vi.advanceTimersByTimeAsync(0);
  expect(got).toEqual([{ type: 'state', state: 'host_down', reason: 'box cannot be reached' }]);
});
