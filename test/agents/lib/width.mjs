// How many cells a code point takes, by the rules tmux 3.3a draws with.
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
const WIDE = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];
const seen = new Map();

function measure(cp) {
  const ch = String.fromCodePoint(cp);
  if (cp === 0xad) return 1;
  if (ZERO.test(ch)) return 0;
  // Regional indicators are one cell each: a flag is two of them.
  if (cp >= 0x1f1e6 && cp <= 0x1f1ff) return 1;
  if (EMOJI.test(ch)) return 2;
  return WIDE.some(([a, b]) => cp >= a && cp <= b) ? 2 : 1;
}

export function charWidth(cp) {
  if (cp < 0x300) return 1;
  if (!seen.has(cp)) seen.set(cp, measure(cp));
  return seen.get(cp);
}

// Cells of a string without control characters; a wide character after a joiner shares its cell.
export function stringWidth(text) {
  let width = 0;
  let joined = false;
  for (const ch of text) {
    const cp = ch.codePointAt(0);
    const w = charWidth(cp);
    if (!(joined && w === 2)) width += w;
    joined = cp === 0x200d;
  }
  return width;
}

// The longest start of a string that fits into a number of cells.
export function cut(text, cells) {
  let out = '';
  for (const ch of text) {
    if (stringWidth(out + ch) > cells) break;
    out += ch;
  }
  return out;
}
