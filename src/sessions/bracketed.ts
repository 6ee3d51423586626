// Knows from a pane's output whether its program asked for bracketed paste; tmux 3.3 has no format that tells.

const MODE = /\x1b\[\?([0-9;]*)([hl])/g;
// The longest such sequence that may be cut between two chunks.
const CARRY = 128;

export class BracketedPasteWatch {
  #rest = '';
  on: boolean | undefined;

  feed(data: Buffer): void {
    const text = this.#rest + data.toString('latin1');
    if (text.includes('2004')) {
      for (const [, modes = '', switched] of text.matchAll(MODE)) {
        if (modes.split(';').includes('2004')) this.on = switched === 'h';
      }
    }
    this.#rest = text.slice(-CARRY);
  }
}
