// The diff of two byte strings: it applies, it is the shortest, and it always ends.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Edit, myersDiff } from './diff.js';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

// Applies the edits to `a`, taking from `b` only what is inserted.
function apply(a: Uint8Array, b: Uint8Array, edits: readonly Edit[]): Buffer {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const edit of edits) {
    expect(edit.a).toBe(at);
    expect(edit.length).toBeGreaterThan(0);
    if (edit.op !== 'insert') at += edit.length;
    if (edit.op === 'equal') parts.push(a.subarray(edit.a, edit.a + edit.length));
    if (edit.op === 'insert') parts.push(b.subarray(edit.b, edit.b + edit.length));
  }
  expect(at).toBe(a.length);
  return Buffer.concat(parts);
}

const distance = (edits: readonly Edit[]): number =>
  edits.reduce((sum, { op, length }) => sum + (op === 'equal' ? 0 : length), 0);

// Deletes and inserts of a shortest edit script, by the table that everybody knows.
function shortest(a: Uint8Array, b: Uint8Array): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        a[i - 1] === b[j - 1]
          ? (row[j - 1] as number)
          : 1 + Math.min(row[j] as number, next[j - 1] as number),
      );
    row = next;
  }
  return row[b.length] as number;
}

const ops = (a: string, b: string): string[] =>
  myersDiff(bytes(a), bytes(b)).map(({ op, a: from, b: to, length }) => {
    const text = op === 'insert' ? b.slice(to, to + length) : a.slice(from, from + length);
    return `${{ equal: '=', delete: '-', insert: '+' }[op]}${text}`;
  });

describe('the edits', () => {
  test.each([
    ['', '', []],
    ['same', 'same', ['=same']],
    ['', 'new', ['+new']],
    ['old', '', ['-old']],
    ['old', 'new', ['-old', '+new']],
    ['one two three', 'one 2 three', ['=one ', '-two', '+2', '= three']],
    ['aXb', 'ab', ['=a', '-X', '=b']],
    ['abcabba', 'cbabac', undefined],
  ])('from %j to %j', (a, b, expected) => {
    if (expected) expect(ops(a, b)).toEqual(expected);
    expect(apply(bytes(a), bytes(b), myersDiff(bytes(a), bytes(b))).toString('latin1')).toBe(b);
  });

  test('between two equal runs: at most one delete, then at most one insert', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
    fc.assert(
      fc.property(few, few, (a, b) => {
        const signs = ops(a, b).map((op) => op[0]);
        expect(signs.join('')).toMatch(/^=?(?:-?\+?=)*-?\+?$/);
      }),
    );
  });
});

describe('of any two byte strings', () => {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.uint8Array({ max: 3, maxLength: 80 }) },
    fc.uint8Array({ maxLength: 80 }),
  );

  test('applied to the one they give the other', () => {
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        expect(apply(a, b, myersDiff(a, b)).equals(b)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('there is no shorter script', () => {
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        expect(distance(myersDiff(a, b))).toBe(shortest(a, b));
      }),
      { numRuns: 500 },
    );
  });

  test('whatever the budget, they apply', () => {
    fc.assert(
      fc.property(unit, unit, fc.nat(200), (a, b, budget) => {
        expect(apply(a, b, myersDiff(a, b, budget)).equals(b)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('of long captures', () => {
  const lines = (count: number, seed: number): Buffer =>
    Buffer.from(
      Array.from({ length: count }, (_, i) => `line ${(i * seed) % 9973} of a session ${i}\n`).join(''),
    );

  test('scattered small edits are found, each where it is', () => {
    const a = lines(30_000, 7919);
    const b = Buffer.from(a);
    const places = [11, 400_000, 800_000, a.length - 5];
    for (const place of places) b[place] = 1;
    const edits = myersDiff(a, b);
    expect(edits.flatMap(({ op, b: at }) => (op === 'insert' ? [at] : []))).toEqual(places);
    expect(distance(edits)).toBe(2 * places.length);
  });

  test('a page that was printed, and one that has scrolled away, do not blur the small edits', () => {
    const a = lines(30_000, 7919);
    const page = Buffer.from(
      Array.from({ length: 2000 }, (_, i) => `something new ${i * 7} that the agent says\n`).join(''),
    );
    const top = a.indexOf('\n', 50_000) + 1;
    const tail = (text: string): Buffer => Buffer.from(`----------\n> ${text}\n----------\n`);
    const before = Buffer.concat([a, tail('draft')]);
    const after = Buffer.concat([a.subarray(top), page, tail('nudge')]);
    const edits = myersDiff(before, after);
    expect(apply(before, after, edits).equals(after)).toBe(true);
    expect(distance(edits)).toBeLessThanOrEqual(top + page.length + 2 * 'draft'.length);
    const equal = edits.reduce((sum, { op, length }) => sum + (op === 'equal' ? length : 0), 0);
    expect(equal).toBeGreaterThan(a.length - top);
  });

  test('two unrelated inputs do not hang: what differs is one delete and one insert', () => {
    const random = (seed: number): Buffer => {
      let state = seed;
      return Buffer.from(
        Uint8Array.from({ length: 2_000_000 }, () => {
          state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
          return state >> 16;
        }),
      );
    };
    const a = Buffer.concat([Buffer.from('the same beginning'), random(1), Buffer.from('the same end')]);
    const b = Buffer.concat([Buffer.from('the same beginning'), random(2), Buffer.from('the same end')]);
    const started = performance.now();
    const edits = myersDiff(a, b);
    // A hundred times what it takes; without a bound it would be hours.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(edits.map(({ op }) => op)).toEqual(['equal', 'delete', 'insert', 'equal']);
    expect(apply(a, b, edits).equals(b)).toBe(true);
  });

  test('long repetitions on every diagonal do not hang either', () => {
    const a = Buffer.concat([Buffer.from('y'), Buffer.alloc(1_000_000, 'x')]);
    const b = Buffer.concat([Buffer.alloc(990_000, 'x'), Buffer.from('z')]);
    expect(apply(a, b, myersDiff(a, b)).equals(b)).toBe(true);
  });
});
