// What a browser does with a session's terminal: xterm.js without a screen, fed by the daemon, which checks the joints.
import { Unicode11Addon } from '@xterm/addon-unicode11';
import xterm from '@xterm/headless';
import { WebSocket } from 'ws';
import { until } from './tmux.js';

type Frame = { type: string; [name: string]: unknown };

export class BrowserTerminal {
  readonly frames: Frame[] = [];
  // Bytes that came twice or not at all.
  readonly faults: string[] = [];
  terminal = new xterm.Terminal({ allowProposedApi: true });
  pictures = 0;
  #expects: 'picture' | 'stream' = 'stream';
  #next = -1n;
  #written = Promise.resolve();
  closed: Promise<number>;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#bytes(data);
      else this.#frame(JSON.parse(String(data)) as Frame);
    });
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  static async open(url: string, session: string, headers: Record<string, string>): Promise<BrowserTerminal> {
    const where = `${url.replace(/^http/, 'ws')}/api/v1/sessions/${session}/terminal`;
    const browser = new BrowserTerminal(new WebSocket(where, { headers }));
    await new Promise((resolve, reject) => {
      browser.socket.once('open', resolve);
      browser.socket.once('error', reject);
    });
    await until(
      () => browser.pictures > 0 || browser.frames.some(({ type }) => type === 'state'),
      'a picture',
    );
    return browser;
  }

  #frame(frame: Frame): void {
    this.frames.push(frame);
    if (frame.type !== 'snapshot') return;
    this.#expects = 'picture';
    this.#next = BigInt(frame.seq as number);
    this.terminal = new xterm.Terminal({
      cols: frame.columns as number,
      rows: frame.rows as number,
      scrollback: 20_000,
      allowProposedApi: true,
    });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = '11';
  }

  #bytes(data: Buffer): void {
    if (this.#expects === 'picture') {
      this.#expects = 'stream';
      this.pictures++;
      this.#write(data);
      return;
    }
    const seq = data.readBigUInt64BE(0);
    if (seq !== this.#next) this.faults.push(`${seq} came where ${this.#next} was next`);
    this.#next = seq + BigInt(data.length - 8);
    this.#write(data.subarray(8));
  }

  #write(data: Uint8Array): void {
    const { terminal } = this;
    this.#written = new Promise((resolve) => terminal.write(data, resolve));
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  ask(frame: Record<string, unknown>): void {
    this.socket.send(JSON.stringify(frame));
  }

  async #settled(): Promise<void> {
    await this.#written;
  }

  // The visible rows without blanks at their ends.
  async rows(): Promise<string[]> {
    await this.#settled();
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: this.terminal.rows },
      (_, y) =>
        active
          .getLine(active.baseY + y)
          ?.translateToString(true)
          .trimEnd() ?? '',
    );
  }

  // Scrollback and screen of the main screen.
  async all(): Promise<string[]> {
    await this.#settled();
    const { normal } = this.terminal.buffer;
    return Array.from(
      { length: normal.length },
      (_, y) => normal.getLine(y)?.translateToString(true).trimEnd() ?? '',
    );
  }

  // Every visible cell with its style, the cursor, the modes.
  async look(): Promise<unknown> {
    await this.#settled();
    const { active } = this.terminal.buffer;
    const cells = Array.from({ length: this.terminal.rows }, (_, y) => {
      const line = active.getLine(active.baseY + y);
      return Array.from({ length: this.terminal.cols }, (_, x) => {
        const cell = line?.getCell(x);
        if (!cell) return '';
        const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()];
        // What is blank and unstyled was never written, or was erased.
        const text = cell.getChars() === ' ' && cell.isAttributeDefault() ? '' : cell.getChars();
        return `${text}|${cell.getFgColorMode()}:${cell.getFgColor()}|${cell.getBgColorMode()}:${cell.getBgColor()}|${flags.map(Number).join('')}`;
      });
    });
    const { x, y } = { x: active.cursorX, y: active.cursorY };
    return { cells, cursor: { x, y }, kind: active.type, modes: { ...this.terminal.modes } };
  }

  close(): void {
    this.socket.terminate();
  }
}
