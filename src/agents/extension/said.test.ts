// What an extension says is taken at its word, and what does not fit is ignored.
import { describe, expect, test } from 'vitest';
import { parseSaid, type Said, wordOn } from './said.js';

const said = (...lines: object[]): Said[] =>
  lines.flatMap((line) => parseSaid(JSON.stringify({ at: 1, ...line })) ?? []);

describe('a line', () => {
  test('is read when it is one of ours', () => {
    expect(parseSaid('{"at":5,"kind":"received","id":"a","turn":"t","evidence":"e"}')).toEqual({
      at: 5,
      kind: 'received',
      id: 'a',
      turn: 't',
      evidence: 'e',
    });
  });

  test.each(['', 'no JSON', '{"kind":"received"}', '{"at":1,"kind":"something else"}', '[]'])(
    'is ignored: %s',
    (line) => expect(parseSaid(line)).toBeUndefined(),
  );
});

describe('the word on a message', () => {
  test('is the last one', () => {
    const lines = said({ kind: 'handed', id: 'a' }, { kind: 'queued', id: 'a' }, { kind: 'queued', id: 'b' });
    expect(wordOn(lines, 'a')?.kind).toBe('queued');
    expect(wordOn(lines, 'c')).toBeUndefined();
  });

  test('that it was received is final', () => {
    const received = { kind: 'received', id: 'a', turn: null, evidence: 'e' };
    const lines = said(received, { kind: 'returned', id: 'a', reason: 'r' });
    expect(wordOn(lines, 'a')?.kind).toBe('received');
  });
});
