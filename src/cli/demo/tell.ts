// How the demo speaks: headings, lines with their time, and framed screens; 80 columns are enough.
import { paint, type Style, say, visible } from '../print.js';
import { cut, textWidth } from '../table.js';
import { PROMPT } from './face.js';
import { PANE } from './script.js';
import type { MailEvent } from './watch.js';

const WIDTH = 78;
const INDENT = '  ';
// Where a receipt's words begin: behind the time, the two names and the receipt.
const TEXT_COLUMN = 32;

export class Teller {
  #scenes = 0;
  #say = say;

  constructor(readonly startedAt = Date.now()) {}

  // The demo was stopped: what still runs on in it has nothing more to tell.
  silence(): void {
    this.#say = () => {};
  }

  heading(text: string): void {
    this.#say();
    this.#say(paint('bold', fill(`${++this.#scenes}. ${text}`, WIDTH, '   ')));
  }

  note(text: string): void {
    this.#say(fill(`${INDENT}${text}`, WIDTH, INDENT));
  }

  line(who: string, what: string, style?: Style, at = Date.now()): void {
    const seconds = `${((at - this.startedAt) / 1000).toFixed(2)} s`.padStart(8);
    this.#say(`${paint('dim', seconds)}  ${paint(style, who.padEnd(11))} ${what}`);
  }

  mail({ message, event }: MailEvent): void {
    const known = RECEIPTS[event.kind];
    if (!known) return;
    const what = fill(visible(known.text(message.id, event.data)), WIDTH - TEXT_COLUMN, '');
    this.line(
      `${message.from.name} → ${message.to.name}`,
      `${paint(known.style, event.kind.padEnd(9))} ${what.replaceAll('\n', `\n${' '.repeat(TEXT_COLUMN)}`)}`,
      'cyan',
      Date.parse(event.at),
    );
  }

  // A pane's last rows as a person sees them there.
  screen(name: string, text: string): void {
    const edge = (left: string, title: string, right: string): string =>
      paint('dim', `${INDENT}${left}${title}${'─'.repeat(PANE.width + 2 - textWidth(title))}${right}`);
    const rows = text
      .replace(/^\s*\n/, '')
      .trimEnd()
      .split('\n');
    const box = rows.findLastIndex((row) => row.startsWith(PROMPT.trimEnd()));
    this.#say(edge('┌', `─ the screen of ${name} `, '┐'));
    for (const [n, row] of rows.entries()) {
      const shown = cut(visible(row), PANE.width);
      const blank = ' '.repeat(PANE.width - textWidth(shown));
      const style = /^─+$/.test(row) ? 'dim' : n === box ? 'yellow' : undefined;
      this.#say(`${paint('dim', `${INDENT}│`)} ${paint(style, shown)}${blank} ${paint('dim', '│')}`);
    }
    this.#say(edge('└', '', '┘'));
  }
}

const RECEIPTS: Record<string, { style: Style; text(id: string, data: Record<string, unknown>): string }> = {
  queued: { style: 'green', text: (id) => `on disk as #${id}` },
  held: { style: 'yellow', text: (_id, { detail }) => String(detail) },
  draft: { style: 'green', text: (_id, { state }) => DRAFT_STATES[String(state)] ?? String(state) },
  typed: { style: 'green', text: () => 'its text is seen in the box; now Enter' },
  submitted: { style: 'green', text: () => 'the box has let go of it' },
  refused: { style: 'yellow', text: (_id, { reason }) => `backed out, will try again: ${reason}` },
  uncertain: { style: 'red', text: (_id, { reason }) => String(reason) },
  cancelled: { style: 'red', text: (_id, { reason }) => String(reason) },
};

const DRAFT_STATES: Record<string, string> = {
  saved: 'the draft is on disk, and out of the box',
  restored: 'it is back in the box; their keys go on',
};

// Breaks a text at blanks.
export function fill(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(/(?<=\S) /)) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(last) + 1 + textWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : indent + word);
  }
  return lines.join('\n');
}
