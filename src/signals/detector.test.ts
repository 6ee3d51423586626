// Markers in a stream of bytes: found in lines that are just printed, left to the screen where something is painted.
import { describe, expect, it } from 'vitest';
import { Detector, MOST_OF_LINE, type Observation } from './detector.js';

const observe = (detector: Detector, ...chunks: (string | Buffer)[]): Observation[] =>
  chunks.flatMap((chunk) => [...detector.feed(Buffer.from(chunk as string))]);
const messages = (found: readonly Observation[]): string[] =>
  found.map((one) => (one.kind === 'marker' ? one.marker.message : one.kind));

const MARK = '--<[sm:completed:Task done]>--';

describe('the detector', () => {
  it('finds a marker cut at any byte, also with colours and cursor moves inside', () => {
    const line = `one\r\n\x1b[32m●\x1b[m \x1b[1m--<[sm:\x1b]0;t\x07completed:Task\x1b[1Cdone]>-\x1b[22m-\x1b[K\r\ntwo`;
    const bytes = Buffer.from(line);
    for (let at = 0; at <= bytes.length; at++) {
      const found = observe(new Detector(), bytes.subarray(0, at), bytes.subarray(at));
      expect(found).toEqual([
        {
          kind: 'marker',
          marker: { state: 'completed', message: 'Task done', id: null },
          line: '● --<[sm:completed:Task done]>--',
          context: 'one',
        },
      ]);
    }
  });

  it('finds each that is printed, the same ones too', () =>
    expect(messages(observe(new Detector(), `${MARK}\n${MARK}\n`, `${MARK}\n`))).toEqual(
      Array(3).fill('Task done'),
    ));

  it('has the screen seen for one at the end of the output, and does not find again what was found there', () => {
    const detector = new Detector();
    expect(observe(detector, `text\n${MARK}`)).toEqual([]);
    expect(messages(detector.flush())).toEqual(['look']);
    detector.tellLine();
    expect(detector.flush()).toEqual([]);
    expect(observe(detector, '\n')).toEqual([]);
    expect(messages(observe(detector, `${MARK}\n`))).toEqual(['Task done']);
  });

  it('waits for the rest of one that comes slowly', () => {
    const detector = new Detector();
    observe(detector, '--<[sm:completed:Ta');
    expect(detector.flush()).toEqual([]);
    expect(messages(observe(detector, 'sk]>--\n'))).toEqual(['Task']);
  });

  it('tells near misses with the cleaned line', () => {
    const found = observe(new Detector(), 'a\n\x1b[1m--<[sm:completed Taskdone]>--\nb schmux c\n');
    expect(found).toEqual([
      { kind: 'near_miss', line: '--<[sm:completed Taskdone]>--' },
      { kind: 'near_miss', line: 'b schmux c' },
    ]);
  });

  it.each([
    ['cursor up', `\x1b[2A${MARK}\n`],
    ['a place', `\x1b[5;1H${MARK}`],
    ['the alternate screen', `\x1b[?1049h${MARK}\n`],
    ['an overwritten line', `working…\r${MARK}\n`],
    ['a line that was edited', `--<[sm:completedx\b:done]>--\n`],
  ])('leaves to the screen: %s', (_, text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      const found = observe(new Detector(), bytes.subarray(0, at), bytes.subarray(at));
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(messages(found))).toEqual(new Set(['look']));
    }
  });

  it('trusts lines again once the screen was seen with nothing behind the cursor', () => {
    const detector = new Detector();
    expect(messages(observe(detector, `\x1b[2J\x1b[H${MARK}\n`))).toEqual(['look']);
    expect(detector.takeStirred()).toBe(true);
    detector.settle({ text: 'some text\n', isLineStart: true });
    expect(observe(detector, `new: line\n${MARK}\n`)).toEqual([
      {
        kind: 'marker',
        marker: { state: 'completed', message: 'Task done', id: null },
        line: MARK,
        context: 'sometextnewline',
      },
    ]);
    expect(detector.takeStirred()).toBe(false);
  });

  it('does not know what stands in a line when it comes in the middle of it', () => {
    const detector = new Detector({ isPainted: true });
    expect(messages(observe(detector, `${MARK}\n`))).toEqual(['look']);
  });

  it('keeps no more than a bounded part of a line', () => {
    const detector = new Detector();
    const long = 'x'.repeat(3 * MOST_OF_LINE);
    expect(observe(detector, long, ` ${MARK}\n`).map(({ kind }) => kind)).toEqual(['near_miss']);
    const dashes = '-'.repeat(5 * MOST_OF_LINE + 7);
    const [found] = observe(detector, dashes, `${MARK}\n`);
    expect(found?.kind === 'near_miss' && found.line.length <= 2 * MOST_OF_LINE).toBe(true);
    expect(messages(observe(detector, `${MARK}\n`))).toEqual(['Task done']);
  });

  it('is not kept from what follows by a string that never ends', () => {
    const detector = new Detector();
    observe(detector, 'a\x1bPq');
    detector.flush();
    expect(messages(observe(detector, `\n${MARK}\n`))).toEqual(['Task done']);
  });
});
