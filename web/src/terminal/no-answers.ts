// A terminal answers when a program asks what it is, where its cursor is, or which colours it has. tmux has answered already,
// and an answer would arrive as if somebody had typed it: here such questions are heard and not answered.
import type { IFunctionIdentifier, Terminal } from '@xterm/xterm';

const QUESTIONS: readonly IFunctionIdentifier[] = [
  // What it is.
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { prefix: '>', final: 'q' },
  // How it is, and where its cursor is.
  { final: 'n' },
  { prefix: '?', final: 'n' },
  // Which modes are set.
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
];
// Colours of the palette, of text, of paper and of the cursor: set with a value, asked for with a "?".
const COLOURS = [4, 10, 11, 12];

export function answerNothing(terminal: Terminal): void {
  for (const question of QUESTIONS) terminal.parser.registerCsiHandler(question, () => true);
  for (const colour of COLOURS)
    terminal.parser.registerOscHandler(colour, (text) => text.split(';').includes('?'));
  terminal.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true);
}

// Whether the page has the focus is no key: tmux tells programs of its own clients.
export const isFocusReport = (text: string): boolean => text === '\x1b[I' || text === '\x1b[O';
