// Breaks a text into screen rows of a given width and finds the cell of the caret.
import { charWidth, stringWidth } from './width.mjs';

const TAB = '    ';
const isControl = (cp) => cp < 0x20 || (cp >= 0x7f && cp < 0xa0);

// What is drawn for one code point: control characters must not reach the terminal.
function shown(ch, cp, label) {
  if (cp === 9) return TAB;
  if (isControl(cp)) return '·';
  if (cp >= 0xdc00 && cp <= 0xdfff) return label?.(ch) ?? '\ufffd';
  return ch;
}

// Calls visit(index, length, text to draw, cells) for each code point of a part without newlines.
function walk(text, from, to, label, visit) {
  let joined = false;
  for (let i = from; i < to; ) {
    const cp = text.codePointAt(i);
    const len = cp > 0xffff ? 2 : 1;
    if (cp >= 0x20 && cp < 0x7f) {
      visit(i, 1, text[i], 1);
      joined = false;
    } else {
      const show = shown(text.slice(i, i + len), cp, label);
      const w = show.length > len ? stringWidth(show) : charWidth(show.codePointAt(0));
      visit(i, len, show, joined && w === 2 ? 0 : w);
      joined = cp === 0x200d;
    }
    i += len;
  }
}

// Rows as index ranges, so that only the visible ones are ever turned into strings.
export function breakRows(text, cols, label) {
  const rows = [];
  for (let from = 0; from <= text.length; ) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    let start = from;
    let x = 0;
    walk(text, from, to, label, (i, _len, _show, w) => {
      if (x + w > cols && x > 0) {
        rows.push({ start, end: i });
        start = i;
        x = 0;
      }
      x += w;
    });
    rows.push({ start, end: to, full: x >= cols });
    from = to + 1;
  }
  return rows;
}

export function rowContent(text, { start, end }, label) {
  let out = '';
  let width = 0;
  walk(text, start, end, label, (_i, _len, show, w) => {
    out += show;
    width += w;
  });
  return { text: out, width };
}

// The row and column of a text index; behind a full row that is the start of a row of its own.
export function caretCell(text, rows, index, label) {
  let lo = 0;
  let hi = rows.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (rows[mid].start <= index) lo = mid;
    else hi = mid - 1;
  }
  const row = rows[lo];
  if (row.full && index === row.end) return { row: lo + 1, col: 0, extra: true };
  return { row: lo, col: rowContent(text, { start: row.start, end: index }, label).width };
}
