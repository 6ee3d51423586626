// What a scripted agent draws: a transcript, a line that says what it does, and its input box at the bottom.
export const PROMPT = '> ';
const SPINNER = ['|', '/', '-', '\\'];

export interface Face {
  transcript: readonly string[];
  draft: string;
  // How long the turn has been running; undefined while idle.
  busyMs: number | undefined;
  queued: number;
}

export interface Size {
  columns: number;
  rows: number;
}

// Everything in one write, so that nobody sees half a frame.
export function paint(face: Face, { columns, rows }: Size): string {
  const box = wrap(face.draft, columns - PROMPT.length - 1);
  const rule = '─'.repeat(columns);
  const below = [status(face), rule, ...box.map((row, n) => (n ? '  ' : PROMPT) + row), rule];
  const room = Math.max(0, rows - below.length);
  const above = face.transcript.flatMap((line) => wrap(line, columns)).slice(-room);
  const blank = Array<string>(Math.max(0, room - above.length)).fill('');
  const all = [...blank, ...(room ? above : []), ...below].slice(-rows);
  const drawn = all.map((row, n) => `\x1b[${n + 1};1H${row}${row === rule ? '' : '\x1b[K'}`);
  const caret = PROMPT.length + [...(box.at(-1) ?? '')].length;
  return `\x1b[?25l${drawn.join('')}\x1b[${all.length - 1};${caret + 1}H\x1b[?25h`;
}

function status({ busyMs, queued }: Face): string {
  if (busyMs === undefined) return 'idle';
  const spin = SPINNER[Math.floor(busyMs / 100) % SPINNER.length];
  return `${spin} working, ${(busyMs / 1000).toFixed(1)} s${queued ? `; ${queued} queued` : ''}`;
}

// Every character counts as one column: the demo's own texts have no wide ones.
function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const chars = [...line];
    const rows: string[] = [];
    for (let at = 0; at === 0 || at < chars.length; at += columns)
      rows.push(chars.slice(at, at + columns).join(''));
    return rows;
  });
}
