// xterm.js as the live pane of a session: as wide as the pane is, drawn in small portions, typed into as a terminal.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { answerNothing, isFocusReport } from './no-answers.js';
import type { Word } from './stream.js';
import { TerminalSocket } from './terminal-socket.js';

// What is drawn at one go: xterm.js looks at the time between portions, and one of short lines takes long.
const PORTION = 2048;
const SCROLLBACK = 10_000;
// Why a pane does not take a size.
const NOT_FITTED = ['other_panes', 'invalid'];
const FONT = { most: 15, least: 7, first: 13 };

export interface PaneDeps {
  told: (word: Exclude<Word, { type: 'snapshot' | 'resized' }>) => void;
  connected: (isConnected: boolean) => void;
  sized: (columns: number, rows: number) => void;
  leave: () => void;
  copy: (text: string) => void;
}

export class Pane {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #socket: TerminalSocket;
  readonly #observer: ResizeObserver;
  #waiting = 0;
  // The size that somebody has asked for. Its letters have their own size for as long as the pane is so wide.
  #asked: { columns: number; rows: number } | undefined;

  constructor(
    session: string,
    readonly place: HTMLElement,
    readonly deps: PaneDeps,
  ) {
    this.terminal = new Terminal({
      allowProposedApi: true,
      scrollback: SCROLLBACK,
      fontSize: FONT.first,
      fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
      theme: themeOf(place),
      screenReaderMode: false,
      macOptionIsMeta: true,
      rightClickSelectsWord: true,
    });
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = '11';
    this.terminal.loadAddon(new WebLinksAddon(openLink));
    answerNothing(this.terminal);
    this.terminal.open(place);
    this.terminal.attachCustomKeyEventHandler((event) => this.#isForTerminal(event));
    this.#socket = new TerminalSocket(session, {
      paint: (bytes, columns, rows) => this.#paint(bytes, columns, rows),
      write: (bytes) => this.#write(bytes),
      waiting: () => this.#waiting,
      resized: (columns, rows) => this.#inOrder(() => this.#resized(columns, rows)),
      told: (word) => {
        if (word.type === 'refused' && NOT_FITTED.includes(word.reason)) this.#asked = undefined;
        deps.told(word);
      },
      connected: (isConnected) => {
        deps.connected(isConnected);
        // Whoever leaves gives the pane its size back, also where the connection broke.
        if (isConnected && this.#asked) this.#socket.resize(this.#asked.columns, this.#asked.rows);
      },
    });
    // What it sends without the focus, such as where the pointer is, nobody has typed.
    this.terminal.onData((text) => {
      if (this.#hasFocus && !isFocusReport(text)) this.type(text);
    });
    this.terminal.onBinary((text) => {
      if (this.#hasFocus) this.#typed(this.#socket.typeBytes(bytesOf(text)));
    });
    place.addEventListener('wheel', this.#wheel, { capture: true });
    this.#observer = new ResizeObserver(() => this.fitFont());
    this.#observer.observe(place);
  }

  // The pane takes the size of this window: only because somebody asked.
  fitPane(): void {
    this.terminal.options.fontSize = FONT.first;
    const size = this.#fit.proposeDimensions();
    this.#asked = size && { columns: size.cols, rows: size.rows };
    // Until the pane has that size, and it may be refused.
    this.fitFont();
    if (size && !this.#socket.resize(size.cols, size.rows))
      this.deps.told({ type: 'refused', reason: 'fit_not_connected' });
  }

  // The letters take the size at which the pane fits into this window; the pane stays as it is.
  fitFont(): void {
    const { clientWidth } = this.place;
    const drawn = this.place.querySelector<HTMLElement>('.xterm-screen')?.offsetWidth ?? 0;
    const { fontSize = FONT.first } = this.terminal.options;
    if (clientWidth === 0 || drawn === 0) return;
    const isFitted = this.#asked?.columns === this.terminal.cols;
    const wanted = isFitted ? FONT.first : Math.floor(((fontSize * (clientWidth - 18)) / drawn) * 2) / 2;
    const size = Math.min(FONT.most, Math.max(FONT.least, wanted));
    if (size !== fontSize) this.terminal.options.fontSize = size;
  }

  retheme(): void {
    this.terminal.options.theme = themeOf(this.place);
  }

  type(text: string): void {
    this.#typed(this.#socket.type(text));
  }

  dispose(): void {
    this.place.removeEventListener('wheel', this.#wheel, { capture: true });
    this.#observer.disconnect();
    this.#socket.close();
    this.terminal.dispose();
  }

  get #hasFocus(): boolean {
    return this.place.contains(document.activeElement);
  }

  #typed(isTaken: boolean): void {
    if (!isTaken) this.deps.told({ type: 'refused', reason: 'not_connected' });
  }

  // A program on the alternate screen, or one that listens to the mouse, would get it as keys: whoever only scrolls past
  // does not type.
  readonly #wheel = (event: Event): void => {
    const { modes, buffer } = this.terminal;
    const isTyped = buffer.active.type === 'alternate' || modes.mouseTrackingMode !== 'none';
    if (isTyped && !this.#hasFocus) event.stopPropagation();
  };

  #isForTerminal(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return true;
    // The one key that does not belong to the pane: out of it.
    if (event.key === 'Escape' && event.shiftKey) {
      this.deps.leave();
      return false;
    }
    const isCopy = event.key.toLowerCase() === 'c' && (event.metaKey || (event.ctrlKey && event.shiftKey));
    if (isCopy && this.terminal.hasSelection()) {
      const text = this.terminal.getSelection();
      // Blanks that nobody sees take the place of nothing.
      if (text.trim() !== '') this.deps.copy(text);
      event.preventDefault();
      return false;
    }
    return true;
  }

  #paint(bytes: Uint8Array, columns: number, rows: number): void {
    this.#inOrder(() => {
      this.terminal.reset();
      this.#resized(columns, rows);
    });
    this.#write(bytes);
  }

  // After all that was handed over before, which may not be drawn yet.
  #inOrder(run: () => void): void {
    this.terminal.write('', run);
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PORTION) {
      const portion = bytes.subarray(at, at + PORTION);
      this.#waiting += portion.length;
      this.terminal.write(portion, () => {
        this.#waiting -= portion.length;
        if (this.#waiting === 0) this.#socket.drained();
      });
    }
  }

  #resized(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.deps.sized(columns, rows);
    this.fitFont();
  }
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function openLink(_event: MouseEvent, uri: string): void {
  window.open(uri, '_blank', 'noopener,noreferrer');
}

function themeOf(place: HTMLElement): ITheme {
  const style = getComputedStyle(place);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  const [black, red, green, yellow, blue, magenta, cyan, white, ...bright] = Array.from(
    { length: 16 },
    (_, at) => value(`--ansi-${at}`),
  ) as [string, string, string, string, string, string, string, string, ...string[]];
  const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
  return {
    background: style.backgroundColor,
    foreground: value('--screen-ink'),
    cursor: value('--screen-ink'),
    cursorAccent: style.backgroundColor,
    selectionBackground: value('--screen-selection'),
    ...{ black, red, green, yellow, blue, magenta, cyan, white },
    ...Object.fromEntries(bright.map((colour, at) => [`bright${names[at]}`, colour])),
  };
}
