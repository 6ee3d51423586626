// Turns raw terminal input, cut anywhere, into events: text, key, paste and cursor report.
const PASTE_END = '\x1b[201~';
const CSI = /^\x1b\[([0-?]*)[ -/]*([@-~])/;
const ESCAPE_WAIT = 50;

const CONTROL = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
};
// The control byte of a letter has the letter's name: 0x07 is C-g.
const controlName = (ch) => {
  const code = ch.charCodeAt(0);
  return CONTROL[ch] ?? (code >= 1 && code <= 26 ? `C-${String.fromCharCode(code + 96)}` : 'unknown');
};
const FINAL = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end' };
const TILDE = { 1: 'home', 3: 'delete', 4: 'end', 7: 'home', 8: 'end' };

const key = (name) => ({ type: 'key', name });

export class KeyParser {
  #emit;
  #rest = '';
  #paste = null;
  #timer = null;

  constructor(emit) {
    this.#emit = emit;
  }

  push(chunk) {
    clearTimeout(this.#timer);
    let data = this.#rest + chunk;
    this.#rest = '';
    while (data) {
      const used = this.#paste ? this.#takePaste(data) : this.#takeOne(data);
      if (used === 0) break;
      data = data.slice(used);
    }
    this.#rest = data;
    // A lone ESC is the Escape key unless the rest of a sequence follows at once.
    if (data === '\x1b' && !this.#paste) {
      this.#timer = setTimeout(() => {
        this.#rest = '';
        this.#emit(key('escape'));
      }, ESCAPE_WAIT);
    }
  }

  // Parts are joined once at the end of the paste: a long paste costs linear time.
  #takePaste(data) {
    const end = data.indexOf(PASTE_END);
    if (end >= 0) {
      const text = this.#paste.join('') + data.slice(0, end);
      this.#paste = null;
      this.#emit({ type: 'paste', text: text.replace(/\r\n?/g, '\n') });
      return end + PASTE_END.length;
    }
    // The end mark may be cut: keep a tail that could be its beginning.
    let keep = Math.min(PASTE_END.length - 1, data.length);
    while (keep && !PASTE_END.startsWith(data.slice(-keep))) keep--;
    if (data.length > keep) this.#paste.push(data.slice(0, data.length - keep));
    return data.length - keep;
  }

  // Takes one event off the front; 0 means that more input is needed.
  #takeOne(data) {
    if (data[0] === '\x1b') return this.#takeEscape(data);
    const run = /^[^\x00-\x1f\x7f]+/.exec(data);
    if (run) {
      this.#emit({ type: 'text', text: run[0] });
      return run[0].length;
    }
    this.#emit(key(controlName(data[0])));
    return 1;
  }

  #takeEscape(data) {
    if (data.length === 1) return 0;
    if (data[1] === '[') {
      const m = CSI.exec(data);
      // Parameters alone are a cut sequence; anything else is none at all.
      if (!m) return /^\x1b\[[0-?]*[ -/]*$/.test(data) ? 0 : 2;
      this.#csi(m[1], m[2]);
      return m[0].length;
    }
    if (data[1] === 'O') {
      if (data.length === 2) return 0;
      this.#emit(key(FINAL[data[2]] ?? 'unknown'));
      return 3;
    }
    if (data[1] === '\x1b') {
      this.#emit(key('escape'));
      return 1;
    }
    const ch = String.fromCodePoint(data.codePointAt(1));
    this.#emit(key(ch === '\r' || ch === '\n' ? 'newline' : `M-${ch}`));
    return 1 + ch.length;
  }

  #csi(params, final) {
    if (final === '~' && params === '200') this.#paste = [];
    else if (final === '~') this.#emit(key(TILDE[params] ?? 'unknown'));
    else if (final === 'R') {
      const [row, col] = params.split(';').map(Number);
      this.#emit({ type: 'report', row, col });
    } else this.#emit(key(FINAL[final] ?? 'unknown'));
  }
}
