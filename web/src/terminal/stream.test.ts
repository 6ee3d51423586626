// A snapshot and the bytes behind it: each byte once, a gap asks for a new picture, a flood does not pile up.
import { expect, test } from 'vitest';
import { type Effect, MOST_WAITING, nextStream, type Stream, type StreamEvent } from './stream.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (given: Uint8Array): string => new TextDecoder().decode(given);

const snapshot = (seq: number): StreamEvent => ({
  type: 'word',
  word: { type: 'snapshot', seq, columns: 80, rows: 24, alternate: false, title: '' },
});
const picture = (shown: string): StreamEvent => ({ type: 'frame', bytes: bytes(shown), waiting: 0 });
const output = (seq: number, printed: string, waiting = 0): StreamEvent => {
  const frame = new Uint8Array(8 + printed.length);
  new DataView(frame.buffer).setBigUint64(0, BigInt(seq));
  frame.set(bytes(printed), 8);
  return { type: 'frame', bytes: frame, waiting };
};

function run(...events: StreamEvent[]): { stream: Stream; done: string[] } {
  const done: string[] = [];
  let stream: Stream = { at: 'waiting' };
  for (const event of events) {
    let effects: Effect[];
    [stream, effects] = nextStream(stream, event);
    for (const effect of effects)
      done.push('bytes' in effect ? `${effect.do} ${text(effect.bytes)}` : effect.do);
  }
  return { stream, done };
}

test('the picture, then what is printed after it', () => {
  expect(run(snapshot(100), picture('screen'), output(100, 'abc'), output(103, 'de')).done).toEqual([
    'paint screen',
    'write abc',
    'write de',
  ]);
});

test('what is in the picture already is not drawn again, wholly or in part', () => {
  expect(
    run(snapshot(100), picture('s'), output(90, 'old'), output(98, 'ABcd'), output(102, 'e')).done,
  ).toEqual(['paint s', 'write cd', 'write e']);
});

test('a gap asks for a new picture, and nothing is drawn until it is there', () => {
  const { done } = run(
    snapshot(0),
    picture('s'),
    output(5, 'x'),
    output(6, 'y'),
    snapshot(7),
    picture('again'),
    output(7, 'z'),
  );
  expect(done).toEqual(['paint s', 'resync', 'paint again', 'write z']);
});

test('bytes before any picture are not drawn', () => {
  expect(run(output(0, 'x')).done).toEqual([]);
});

test('a reader that cannot keep up lets go, and asks for a picture once it has drawn what it had', () => {
  const { stream, done } = run(
    snapshot(0),
    picture('s'),
    output(0, 'a', MOST_WAITING + 1),
    output(1, 'b', MOST_WAITING + 2),
    output(2, 'c'),
    { type: 'drained' },
  );
  expect(done).toEqual(['paint s', 'write a', 'resync']);
  expect(stream).toEqual({ at: 'waiting' });
});

test('a picture of any size is drawn once: what waits of it does not ask for another', () => {
  const large = 'x'.repeat(MOST_WAITING + 1);
  const { done } = run(
    snapshot(0),
    picture(large),
    output(0, 'a', large.length),
    output(1, 'b', large.length),
  );
  expect(done.map((each) => each.split(' ', 1)[0])).toEqual(['paint', 'write', 'write']);
});

test('having drawn everything asks for nothing while all is well', () => {
  expect(run(snapshot(0), picture('s'), { type: 'drained' }).done).toEqual(['paint s']);
});

test('numbers beyond 32 bits are exact', () => {
  const far = 2 ** 40 + 3;
  expect(run(snapshot(far), picture('s'), output(far - 1, 'ab')).done).toEqual(['paint s', 'write b']);
});
