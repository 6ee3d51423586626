// Rows of a screen captured with SGR sequences, as cells with their styles.
import { eastAsianWidth } from 'get-east-asian-width';

export interface Cell {
  // One character with what combines onto it; a wide one takes two columns.
  text: string;
  width: 1 | 2;
  // The SGR parameters in force, in a fixed order; '' is the default style.
  style: string;
}

const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200d]|\u2060)$/u;

export function charWidth(char: string): 0 | 1 | 2 {
  if (ZERO_WIDTH.test(char)) return 0;
  return eastAsianWidth(char.codePointAt(0) as number) as 1 | 2;
}

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

// tmux carries the style over from one row to the next, so rows are read together.
export function parseStyledRows(lines: readonly string[]): Cell[][] {
  const style = new SgrState();
  return lines.map((line) => parseRow(line, style));
}

const SEQUENCE = /\x1b\[([0-9;:]*)m|\x1b[()][A-Z0-9]|[\x0e\x0f]|([^\x1b])|\x1b/gu;

function parseRow(line: string, style: SgrState): Cell[] {
  const cells: Cell[] = [];
  for (const [, sgr, char] of line.matchAll(SEQUENCE)) {
    if (sgr !== undefined) style.apply(sgr);
    else if (char !== undefined) {
      const width = charWidth(char);
      const last = cells.at(-1);
      if (width !== 0) cells.push({ text: char, width, style: style.key });
      else if (last) last.text += char;
    }
  }
  return cells;
}

// The attributes that a row of SGR sequences has switched on, each under the code that set it.
export class SgrState {
  #on = new Map<string, string>();
  key = '';

  apply(parameters: string): void {
    const groups = parameters.split(';');
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i] ?? '';
      const code = Number.parseInt(group, 10) || 0;
      if (code !== 38 && code !== 48 && code !== 58) {
        // What follows a colon refines the code (4:3 is a curly underline); 4:0 takes it back.
        this.#single(group === '4:0' ? 24 : code);
        continue;
      }
      const length = group.includes(':') ? 1 : groups[i + 1] === '5' ? 3 : 5;
      this.#on.set(COLOURS[code], groups.slice(i, i + length).join(';'));
      i += length - 1;
    }
    this.key = [...this.#on.entries()]
      .sort()
      .map(([, value]) => value)
      .join(';');
  }

  #single(code: number): void {
    const cleared = CLEARS[code];
    if (code === 0) this.#on.clear();
    else if (cleared) for (const name of cleared) this.#on.delete(name);
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) this.#on.set('fg', String(code));
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) this.#on.set('bg', String(code));
    else this.#on.set(String(code), String(code));
  }
}

const COLOURS = { 38: 'fg', 48: 'bg', 58: 'underline-colour' } as const;
const CLEARS: Record<number, string[]> = {
  22: ['1', '2'],
  23: ['3'],
  24: ['4', '21'],
  25: ['5'],
  27: ['7'],
  28: ['8'],
  29: ['9'],
  39: ['fg'],
  49: ['bg'],
  59: ['underline-colour'],
};

export const rowText = (cells: readonly Cell[]): string => cells.map((cell) => cell.text).join('');

export const isDim = (style: string): boolean => /^(?:1;)?2(?:;|$)/.test(style);

// Splits a row at a screen column: what stands left of it, under it, and right of it.
export function splitAt(
  cells: readonly Cell[],
  column: number,
): { left: Cell[]; under: Cell | undefined; right: Cell[] } {
  let x = 0;
  let index = 0;
  while (index < cells.length && x + (cells[index] as Cell).width <= column)
    x += (cells[index++] as Cell).width;
  return { left: cells.slice(0, index), under: cells[index], right: cells.slice(index + 1) };
}
