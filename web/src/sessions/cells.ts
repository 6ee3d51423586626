// A screen as ANSI text, read into rows of runs: what a miniature draws. Pure; knows colours and nothing that moves.
export interface Run {
  text: string;
  column: number;
  // A colour of the palette (0 to 255), or one of its own (#rrggbb); null: as the page has it.
  ink: number | string | null;
  paper: number | string | null;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
}

type Style = Omit<Run, 'text' | 'column'>;

const PLAIN: Style = { ink: null, paper: null, isBold: false, isDim: false, isInverse: false };
const ESCAPE = /\x1b(?:\[([0-9;:?]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_]|[ -/]+[0-~])/y;

export function readCells(screen: string): Run[][] {
  let style = PLAIN;
  return screen.split(/\r?\n/).map((line) => {
    const runs: Run[] = [];
    let column = 0;
    let text = '';
    const end = (): void => {
      if (text !== '') runs.push({ ...style, text, column });
      column += widthOf(text);
      text = '';
    };
    for (let at = 0; at < line.length; ) {
      ESCAPE.lastIndex = at;
      const found = line[at] === '\x1b' ? ESCAPE.exec(line) : null;
      if (found) {
        if (found[2] === 'm') {
          end();
          style = styled(style, (found[1] ?? '').split(/[;:]/).map(Number));
        }
        at += found[0].length;
      } else {
        const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
        if (character >= ' ') text += character;
        at += character.length;
      }
    }
    end();
    return runs;
  });
}

function styled(from: Style, codes: readonly number[]): Style {
  let style = from;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = PLAIN;
    else if (code === 1) style = { ...style, isBold: true };
    else if (code === 2) style = { ...style, isDim: true };
    else if (code === 7) style = { ...style, isInverse: true };
    else if (code === 22) style = { ...style, isBold: false, isDim: false };
    else if (code === 27) style = { ...style, isInverse: false };
    else if (code >= 30 && code <= 37) style = { ...style, ink: code - 30 };
    else if (code >= 90 && code <= 97) style = { ...style, ink: code - 82 };
    else if (code >= 40 && code <= 47) style = { ...style, paper: code - 40 };
    else if (code >= 100 && code <= 107) style = { ...style, paper: code - 92 };
    else if (code === 39) style = { ...style, ink: null };
    else if (code === 49) style = { ...style, paper: null };
    else if (code === 38 || code === 48) {
      const [colour, used] = colourAt(codes, at + 1);
      if (colour !== undefined) style = code === 38 ? { ...style, ink: colour } : { ...style, paper: colour };
      at += used;
    }
  }
  return style;
}

function colourAt(codes: readonly number[], at: number): [number | string | undefined, number] {
  if (codes[at] === 5) return [codes[at + 1] ?? 0, 2];
  if (codes[at] !== 2) return [undefined, 0];
  const [red = 0, green = 0, blue = 0] = codes.slice(at + 1, at + 4);
  return [`#${[red, green, blue].map((part) => (part & 255).toString(16).padStart(2, '0')).join('')}`, 4];
}

// Good enough for a miniature: the wide are those of East Asia and most pictures.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
};

// The colours that everybody knows, then the cube and the greys.
export function paletteColour(at: number, base: readonly string[]): string {
  if (at < 16) return base[at] ?? '#888888';
  if (at >= 232) {
    const grey = 8 + (at - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const cube = at - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}
