// The control-mode protocol as a pure parser: bytes in, reply blocks and notifications out.

export type Notification =
  | { type: 'output'; pane: string; data: Buffer }
  | { type: 'pause'; pane: string }
  | { type: 'continue'; pane: string }
  | { type: 'pane-mode-changed'; pane: string }
  | { type: 'window-pane-changed'; window: string; pane: string }
  | { type: 'window-add'; window: string }
  | { type: 'window-close'; window: string }
  | { type: 'window-renamed'; window: string; name: string }
  | { type: 'layout-change'; window: string }
  | { type: 'session-changed'; session: string; name: string }
  | { type: 'session-renamed'; name: string }
  | { type: 'sessions-changed' }
  | { type: 'client-session-changed'; client: string; session: string }
  | { type: 'client-detached'; client: string }
  | { type: 'subscription-changed'; name: string; pane: string; value: string }
  | { type: 'exit'; reason: string }
  | { type: 'other'; line: string };

// One reply: `ours` tells a command of this client (flags 1) from tmux's own, such as the attach block (flags 0).
export interface Block {
  type: 'block';
  ok: boolean;
  ours: boolean;
  lines: Buffer[];
}

export type ControlEvent = Block | Notification;

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const BEGIN = Buffer.from('%begin ');

// `%output` writes bytes below 32 and the backslash as three octal digits.
export function unescapeOctal(data: Buffer): Buffer {
  if (!data.includes(BACKSLASH)) return Buffer.from(data);
  const out = Buffer.allocUnsafe(data.length);
  let length = 0;
  for (let i = 0; i < data.length; i++) {
    const byte = data[i] as number;
    const digits = byte === BACKSLASH ? octalAt(data, i + 1) : undefined;
    if (digits === undefined) out[length++] = byte;
    else {
      out[length++] = digits;
      i += 3;
    }
  }
  return out.subarray(0, length);
}

function octalAt(data: Buffer, start: number): number | undefined {
  if (start + 3 > data.length) return undefined;
  let value = 0;
  for (let i = start; i < start + 3; i++) {
    const digit = (data[i] as number) - 0x30;
    if (digit < 0 || digit > 7) return undefined;
    value = value * 8 + digit;
  }
  return value & 0xff;
}

export class ControlParser {
  #rest: Buffer[] = [];
  #block: { end: Buffer; error: Buffer; ours: boolean; lines: Buffer[] } | undefined;

  // Returns what the bytes completed; a line cut at any byte waits for the next call.
  feed(chunk: Buffer): ControlEvent[] {
    const events: ControlEvent[] = [];
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      const tail = chunk.subarray(start, at);
      const line = this.#rest.length ? Buffer.concat([...this.#rest.splice(0), tail]) : tail;
      const event = this.#line(line);
      if (event) events.push(event);
      start = at + 1;
    }
    if (start < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(start)));
    return events;
  }

  #line(line: Buffer): ControlEvent | undefined {
    const block = this.#block;
    if (block) {
      // Inside a block only its own end counts: a pane may well show the text "%begin 1 2 3".
      const ok = line.equals(block.end);
      if (!ok && !line.equals(block.error)) {
        block.lines.push(Buffer.from(line));
        return undefined;
      }
      this.#block = undefined;
      return { type: 'block', ok, ours: block.ours, lines: block.lines };
    }
    if (line.subarray(0, BEGIN.length).equals(BEGIN)) {
      const tag = line.subarray(BEGIN.length).toString('latin1');
      const ours = tag.split(' ')[2] === '1';
      this.#block = { end: Buffer.from(`%end ${tag}`), error: Buffer.from(`%error ${tag}`), ours, lines: [] };
      return undefined;
    }
    return line[0] === PERCENT ? parseNotification(line) : { type: 'other', line: line.toString('utf8') };
  }
}

function parseNotification(line: Buffer): Notification {
  const nameEnd = line.indexOf(0x20);
  const name = line.subarray(1, nameEnd === -1 ? undefined : nameEnd).toString('latin1');
  if (name === 'output' || name === 'extended-output') return parseOutput(name, line, nameEnd + 1);
  const text = nameEnd === -1 ? '' : line.subarray(nameEnd + 1).toString('utf8');
  const [first = '', second = ''] = text.split(' ');
  const afterFirst = text.slice(first.length + 1);
  switch (name) {
    case 'pause':
    case 'continue':
    case 'pane-mode-changed':
      return { type: name, pane: first };
    case 'window-pane-changed':
      return { type: name, window: first, pane: second };
    // One in another session (`unlinked-…`) is none of this client's.
    case 'window-add':
      return { type: name, window: first };
    case 'window-close':
    case 'unlinked-window-close':
      return { type: 'window-close', window: first };
    case 'window-renamed':
    case 'unlinked-window-renamed':
      return { type: 'window-renamed', window: first, name: afterFirst };
    case 'layout-change':
      return { type: name, window: first };
    case 'session-changed':
      return { type: name, session: first, name: afterFirst };
    case 'session-renamed':
      return { type: name, name: text };
    case 'sessions-changed':
      return { type: name };
    case 'client-session-changed':
      return { type: name, client: first, session: second };
    case 'client-detached':
      return { type: name, client: text };
    case 'subscription-changed':
      return parseSubscription(text);
    case 'exit':
      return { type: name, reason: text };
    default:
      return { type: 'other', line: line.toString('utf8') };
  }
}

// `%output %1 DATA`, or with pause-after `%extended-output %1 AGE … : DATA`.
function parseOutput(name: 'output' | 'extended-output', line: Buffer, start: number): Notification {
  const paneEnd = line.indexOf(0x20, start);
  const pane = line.subarray(start, paneEnd === -1 ? undefined : paneEnd).toString('latin1');
  if (paneEnd === -1) return { type: 'output', pane, data: Buffer.alloc(0) };
  const dataStart = name === 'output' ? paneEnd + 1 : line.indexOf(' : ', paneEnd) + 3;
  return { type: 'output', pane, data: unescapeOctal(line.subarray(dataStart)) };
}

// `NAME $SESSION @WINDOW INDEX %PANE : VALUE`
function parseSubscription(text: string): Notification {
  const split = text.indexOf(' : ');
  const head = split === -1 ? text : text.slice(0, split);
  const [name = '', , , , pane = ''] = head.split(' ');
  return { type: 'subscription-changed', name, pane, value: split === -1 ? '' : text.slice(split + 3) };
}
