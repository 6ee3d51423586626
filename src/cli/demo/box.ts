// The input box of a scripted agent: bytes of the terminal into keys, and keys into a draft.

export type Key =
  | { kind: 'text'; text: string }
  | { kind: 'enter' | 'newline' | 'backspace' | 'clear' | 'editor' | 'interrupt' | 'other' };

const CONTROL: Record<string, Exclude<Key['kind'], 'text'>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x15': 'clear',
  '\x07': 'editor',
  '\x03': 'interrupt',
};

const PASTE_START = '\x1b[200~';
// A whole paste, another escape sequence, a run of plain text, or one control character.
const TOKEN = /\x1b\[200~([\s\S]*?)\x1b\[201~|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[^[]|[^\x00-\x1f\x7f]+|[^\x1b]/y;

// Input may be cut anywhere: what is not whole yet waits for the rest.
export class Keys {
  #rest = '';

  push(chunk: string): Key[] {
    const data = this.#rest + chunk;
    const keys: Key[] = [];
    let at = 0;
    for (;;) {
      TOKEN.lastIndex = at;
      const found =
        data.startsWith(PASTE_START, at) && !data.includes('\x1b[201~', at) ? null : TOKEN.exec(data);
      if (!found) break;
      keys.push(keyOf(found[0], found[1]));
      at = TOKEN.lastIndex;
    }
    this.#rest = data.slice(at);
    return keys;
  }
}

function keyOf(token: string, pasted: string | undefined): Key {
  if (pasted !== undefined) return { kind: 'text', text: pasted.replace(/\r\n?/g, '\n') };
  if (token >= ' ' && token[0] !== '\x7f') return { kind: 'text', text: token };
  return { kind: CONTROL[token] ?? 'other' };
}

// The draft after a key; Enter is the agent's own affair.
export function edit(draft: string, key: Key): string {
  switch (key.kind) {
    case 'text':
      return draft + key.text;
    case 'newline':
      return `${draft}\n`;
    case 'backspace':
      return [...draft].slice(0, -1).join('');
    case 'clear':
      return '';
    default:
      return draft;
  }
}
