// Myers' O(ND) diff of two byte strings in linear space: the shortest edit script, in time linear in size for small edits.
import { type Anchor, commonLines } from './diff-anchors.js';

// A run of bytes: `a` is where it begins in the old bytes, `b` in the new ones.
export interface Edit {
  op: 'equal' | 'delete' | 'insert';
  a: number;
  b: number;
  length: number;
}

// The work it may do in all, in diagonals visited. Two unrelated megabytes would take hours: what is left undone counts as
// replaced, as one delete and one insert.
export const DIFF_BUDGET = 2 ** 23;
// Up to twice as many edits between two texts are found by the shortest script. Beyond that (an agent has printed a page)
// the lines that both have are kept first, and only what stands between them is compared byte by byte.
const MOST_ROUNDS = 1024;

// Between two equal runs there is at most one delete, followed by at most one insert.
export function myersDiff(a: Uint8Array, b: Uint8Array, budget = DIFF_BUDGET): Edit[] {
  return new Differ(asBuffer(a), asBuffer(b), budget).run();
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// A stretch of equal bytes on a shortest path, from (x, y) to (u, v), with half of the edits on either side.
interface Snake {
  x: number;
  y: number;
  u: number;
  v: number;
}

class Differ {
  readonly #edits: Edit[] = [];
  // Furthest points reached with h edits, by diagonal: from the start and from the end.
  readonly #ahead: Int32Array;
  readonly #back: Int32Array;
  readonly #zero: number;
  readonly #most: number;
  #left: number;
  #a = 0;
  #b = 0;
  #deleted = 0;
  #inserted = 0;

  constructor(
    readonly a: Buffer,
    readonly b: Buffer,
    budget: number,
  ) {
    this.#left = budget;
    this.#most = Math.min(Math.ceil((a.length + b.length) / 2), MOST_ROUNDS);
    this.#zero = this.#most + 1;
    this.#ahead = new Int32Array(2 * this.#most + 3);
    this.#back = new Int32Array(2 * this.#most + 3);
  }

  run(): Edit[] {
    this.#compare(0, this.a.length, 0, this.b.length);
    this.#flush();
    return this.#edits;
  }

  #compare(aFrom: number, aTo: number, bFrom: number, bTo: number): void {
    const prefix = commonPrefix(this.a, aFrom, this.b, bFrom, Math.min(aTo - aFrom, bTo - bFrom));
    this.#equal(prefix);
    const x = aFrom + prefix;
    const y = bFrom + prefix;
    const suffix = commonSuffix(this.a, aTo, this.b, bTo, Math.min(aTo - x, bTo - y));
    const u = aTo - suffix;
    const v = bTo - suffix;
    const isChanged = u > x && v > y;
    const snake = isChanged ? this.#middle(x, u - x, y, v - y) : undefined;
    if (snake) {
      this.#compare(x, x + snake.x, y, y + snake.y);
      this.#equal(snake.u - snake.x);
      this.#compare(x + snake.u, u, y + snake.v, v);
    } else this.#between(isChanged ? this.#anchors(x, u, y, v) : [], x, u, y, v);
    this.#equal(suffix);
  }

  #between(anchors: readonly Anchor[], aFrom: number, aTo: number, bFrom: number, bTo: number): void {
    let x = aFrom;
    let y = bFrom;
    for (const { a, b, length } of anchors) {
      this.#compare(x, a, y, b);
      this.#equal(length);
      x = a + length;
      y = b + length;
    }
    if (anchors.length > 0) this.#compare(x, aTo, y, bTo);
    else {
      this.#deleted += aTo - x;
      this.#inserted += bTo - y;
    }
  }

  #anchors(aFrom: number, aTo: number, bFrom: number, bTo: number): Anchor[] {
    if (this.#left < 0) return [];
    this.#left -= (aTo - aFrom + bTo - bFrom) >> 3;
    return commonLines({ bytes: this.a, from: aFrom, to: aTo }, { bytes: this.b, from: bFrom, to: bTo });
  }

  // Searches from both ends until the paths meet; undefined when that takes too long.
  #middle(aFrom: number, n: number, bFrom: number, m: number): Snake | undefined {
    const { a, b } = this;
    const ahead = this.#ahead;
    const back = this.#back;
    const zero = this.#zero;
    const delta = n - m;
    const isOdd = (delta & 1) !== 0;
    const most = Math.min(Math.ceil((n + m) / 2), this.#most);
    ahead[zero + 1] = 0;
    back[zero + 1] = 0;
    for (let h = 0; h <= most; h++) {
      // Diagonals that have left the rectangle are no longer followed.
      const low = 2 * Math.max(0, h - m) - h;
      const high = h - 2 * Math.max(0, h - n);
      this.#left -= high - low + 2;
      if (this.#left < 0) return undefined;
      for (let k = low; k <= high; k += 2) {
        const x = start(ahead, zero + k, k === -h, k === h);
        const y = x - k;
        const isEqual = x < n && y < m && a[aFrom + x] === b[bFrom + y];
        const run = isEqual ? commonPrefix(a, aFrom + x, b, bFrom + y, Math.min(n - x, m - y)) : 0;
        this.#left -= run >> 6;
        ahead[zero + k] = x + run;
        const other = delta - k;
        if (isOdd && other > -h && other < h && x + run + (back[zero + other] as number) >= n)
          return { x, y, u: x + run, v: y + run };
      }
      for (let k = low; k <= high; k += 2) {
        const x = start(back, zero + k, k === -h, k === h);
        const y = x - k;
        const isEqual = x < n && y < m && a[aFrom + n - x - 1] === b[bFrom + m - y - 1];
        const run = isEqual ? commonSuffix(a, aFrom + n - x, b, bFrom + m - y, Math.min(n - x, m - y)) : 0;
        this.#left -= run >> 6;
        back[zero + k] = x + run;
        const other = delta - k;
        if (!isOdd && other >= -h && other <= h && x + run + (ahead[zero + other] as number) >= n)
          return { x: n - x - run, y: m - y - run, u: n - x, v: m - y };
      }
    }
    return undefined;
  }

  #equal(length: number): void {
    if (length === 0) return;
    this.#flush();
    const last = this.#edits.at(-1);
    if (last?.op === 'equal') last.length += length;
    else this.#edits.push({ op: 'equal', a: this.#a, b: this.#b, length });
    this.#a += length;
    this.#b += length;
  }

  #flush(): void {
    if (this.#deleted) this.#edits.push({ op: 'delete', a: this.#a, b: this.#b, length: this.#deleted });
    this.#a += this.#deleted;
    if (this.#inserted) this.#edits.push({ op: 'insert', a: this.#a, b: this.#b, length: this.#inserted });
    this.#b += this.#inserted;
    this.#deleted = 0;
    this.#inserted = 0;
  }
}

// Onto a diagonal from the neighbour that reaches further.
function start(points: Int32Array, at: number, isLowest: boolean, isHighest: boolean): number {
  const down = points[at + 1] as number;
  const right = points[at - 1] as number;
  return isLowest || (!isHighest && right < down) ? down : right + 1;
}

// Runs that are longer than this are compared in blocks, at the speed of memcmp.
const BYTE_BY_BYTE = 64;
const BLOCK = 4096;

function commonPrefix(a: Buffer, aFrom: number, b: Buffer, bFrom: number, most: number): number {
  let n = 0;
  const short = Math.min(most, BYTE_BY_BYTE);
  while (n < short && a[aFrom + n] === b[bFrom + n]) n++;
  if (n < BYTE_BY_BYTE) return n;
  for (; n + BLOCK <= most; n += BLOCK)
    if (a.compare(b, bFrom + n, bFrom + n + BLOCK, aFrom + n, aFrom + n + BLOCK) !== 0) break;
  while (n < most && a[aFrom + n] === b[bFrom + n]) n++;
  return n;
}

function commonSuffix(a: Buffer, aTo: number, b: Buffer, bTo: number, most: number): number {
  let n = 0;
  const short = Math.min(most, BYTE_BY_BYTE);
  while (n < short && a[aTo - n - 1] === b[bTo - n - 1]) n++;
  if (n < BYTE_BY_BYTE) return n;
  for (; n + BLOCK <= most; n += BLOCK)
    if (a.compare(b, bTo - n - BLOCK, bTo - n, aTo - n - BLOCK, aTo - n) !== 0) break;
  while (n < most && a[aTo - n - 1] === b[bTo - n - 1]) n++;
  return n;
}
