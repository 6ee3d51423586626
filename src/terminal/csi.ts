// What a control sequence (CSI) does to the text of a screen.

// `line`: inside the cursor's line; `screen`: beyond it; `down`: newlines; `repeat`: the last character again.
export type CsiEffect = 'none' | 'spaces' | 'down' | 'line' | 'screen' | 'repeat';

const EFFECTS: Record<string, CsiEffect> = {
  C: 'spaces',
  a: 'spaces',
  I: 'spaces',
  B: 'down',
  e: 'down',
  E: 'down',
  b: 'repeat',
  // Cursor back and to a column; characters inserted, deleted, erased.
  D: 'line',
  G: 'line',
  '`': 'line',
  j: 'line',
  Z: 'line',
  '@': 'line',
  P: 'line',
  X: 'line',
  // Cursor up and to a place; lines inserted, deleted, scrolled; the cursor put back.
  A: 'screen',
  F: 'screen',
  k: 'screen',
  H: 'screen',
  f: 'screen',
  d: 'screen',
  L: 'screen',
  M: 'screen',
  S: 'screen',
  T: 'screen',
  r: 'screen',
  u: 'screen',
};
const BY_FINAL: CsiEffect[] = Array.from(
  { length: 128 },
  (_, code) => EFFECTS[String.fromCharCode(code)] ?? 'none',
);

const ERASE_SCREEN = 0x4a;
const ERASE_LINE = 0x4b;
const SET_MODE = 0x68;
const RESET_MODE = 0x6c;
const QUESTION_MARK = 0x3f;
// The alternate screen, the cursor put back, and columns set anew.
const SCREEN_MODES = new Set([3, 47, 1047, 1048, 1049]);

export function csiEffect(final: number, prefix: number, first: number): CsiEffect {
  if (final === SET_MODE || final === RESET_MODE)
    return prefix === QUESTION_MARK && SCREEN_MODES.has(first) ? 'screen' : 'none';
  // What stands behind the cursor: nothing that was printed since the line began, unless the cursor went back, and that counts.
  if (final === ERASE_LINE) return first === 0 ? 'none' : 'line';
  if (final === ERASE_SCREEN) return first === 0 ? 'none' : 'screen';
  return prefix === 0 ? (BY_FINAL[final] as CsiEffect) : 'none';
}
