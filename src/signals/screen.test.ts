// Markers on screens: broken rows, boxes, prompts, columns; and which of them were seen before.
import { describe, expect, it } from 'vitest';
import { type Occurrence, recognise } from './occurrences.js';
import { findMarkers, type Screen, textBeforeCursor } from './screen.js';

const screen = (text: string, more: Partial<Screen> = {}): Screen => {
  const rows = text.split('\n');
  return {
    rows,
    columns: 40,
    top: 0,
    cursor: { x: 0, y: rows.length },
    prompt: '',
    isAlternate: true,
    isLineOpen: true,
    ...more,
  };
};
const shown = (text: string, more?: Partial<Screen>) =>
  findMarkers(screen(text, more)).shown.map(({ marker }) => marker.message);

describe('markers on a screen', () => {
  it('are put together where the terminal or the program broke them', () => {
    expect(shown('● --<[sm:completed:All of it works now,\n  and the tests pass]>--')).toEqual([
      'All of it works now, and the tests pass',
    ]);
    expect(shown(`${'--<[sm:completed:0123456789'.padEnd(40, 'x')}\nyz]>--`)).toEqual([
      `0123456789${'x'.repeat(13)}yz`,
    ]);
    expect(shown('│ --<[sm:completed:one two │\n│ three]>--              │')).toEqual(['one twothree']);
    expect(shown('│ --<[sm:completed:one     │\n│ three]>--              │')).toEqual(['one three']);
  });

  it('may have another column beside them', () =>
    expect(shown('  --<[sm:idle:ready]>--      │ Context 12%')).toEqual(['ready']));

  it.each([
    ['that do not end', '--<[sm:completed:All\n\nof it]>--'],
    ['inside a sentence', 'Print --<[sm:completed:done]>-- when done'],
    ['that begin again', '--<[sm:completed:a\n--<[sm:completed'],
  ])('are none %s', (_, text) => expect(shown(text)).toEqual([]));

  it('do not count in the input box', () => {
    const claude = `text\n${'─'.repeat(40)}\n❯ first\n  --<[sm:completed:draft]>--\n${'─'.repeat(40)}\n  footer`;
    const found = findMarkers(screen(claude, { cursor: { x: 5, y: 2 } }));
    expect(found.shown).toEqual([]);
    expect(found.typed.map(({ message }) => message)).toEqual(['draft']);
    const codex = '› one\n\n  --<[sm:completed:draft]>--\n\n  footer';
    expect(shown(codex, { cursor: { x: 9, y: 2 }, prompt: '› ' })).toEqual([]);
    expect(shown('$ --<[sm:completed:draft]>--', { cursor: { x: 27, y: 0 } })).toEqual([]);
  });

  it('do not count where they are shown as they were typed', () => {
    expect(shown('> --<[sm:completed:mine]>--\n\ntext', { prompt: '> ' })).toEqual([]);
    expect(shown('● --<[sm:completed:its]>--\n\ntext', { prompt: '> ' })).toEqual(['its']);
    // A border is no prompt.
    expect(shown('│ --<[sm:completed:its]>-- │', { prompt: '│ ' })).toEqual(['its']);
  });

  it('count in the row of the cursor where nobody types', () => {
    const end = { cursor: { x: 24, y: 0 }, isLineOpen: false };
    expect(shown('--<[sm:completed:its]>--', end)).toEqual(['its']);
  });

  it('were perhaps meant', () =>
    expect(findMarkers(screen('a\n  --<[sm:completed done]>--\nb')).nearMisses).toEqual([
      '--<[sm:completed done]>--',
    ]));

  it('have words before them', () => {
    const [one] = findMarkers(screen('● Done: 3\n  files.\n\n● --<[sm:idle:]>--')).shown;
    expect(one?.context).toBe('Done3files');
  });

  it('leave nothing behind the cursor, or something', () => {
    expect(textBeforeCursor(screen('a b\nc', { cursor: { x: 1, y: 1 } }))).toBe('abc');
    expect(textBeforeCursor(screen('a\nb', { cursor: { x: 1, y: 0 } }))).toBeUndefined();
  });
});

describe('what was seen before', () => {
  const marker = (message: string, id: string | null = null) => ({ state: 'idle', message, id });
  const occurrence = (seq: number, message: string, context: string | null): Occurrence => ({
    seq,
    marker: marker(message),
    context,
    at: 0,
    entry: null,
  });
  const seqs = (known: Occurrence[], sights: [string, string][]) =>
    recognise(
      known,
      sights.map(([message, context]) => ({ marker: marker(message), context })),
    ).map((one) => one?.seq);

  it('has the same words before it, or as many of them as are shown', () => {
    const known = [occurrence(1, 'a', 'once upon'), occurrence(2, 'a', 'a time')];
    expect(
      seqs(known, [
        ['a', 'once upon'],
        ['a', 'a time'],
      ]),
    ).toEqual([1, 2]);
    expect(seqs(known, [['a', 'time']])).toEqual([2]);
    expect(seqs(known, [['a', '']])).toEqual([2]);
    expect(seqs(known, [['a', 'something else']])).toEqual([undefined]);
    expect(seqs(known, [['b', 'once upon']])).toEqual([undefined]);
  });

  it('is one for each that the screen shows', () => {
    const known = [occurrence(1, 'a', 'x'), occurrence(2, 'a', 'xidlea')];
    expect(
      seqs(known, [
        ['a', ''],
        ['a', 'idlea'],
        ['a', 'idleaidlea'],
      ]),
    ).toEqual([1, 2, undefined]);
  });

  it('may be known from the record of its agent alone', () =>
    expect(
      seqs(
        [occurrence(1, 'a', null), occurrence(2, 'a', 'x')],
        [
          ['a', 'y'],
          ['a', 'x'],
          ['a', 'z'],
        ],
      ),
    ).toEqual([undefined, 2, 1]));

  it('is told by the id that its agent gave it', () => {
    const known: Occurrence[] = [{ seq: 1, marker: marker('a', 'i'), context: 'x', at: 0, entry: null }];
    const sight = { marker: marker('other words', 'i'), context: 'y' };
    expect(recognise(known, [sight, sight]).map((one) => one?.seq)).toEqual([1, 1]);
  });
});
