// A session's output as a stream of bytes: the last lines first, then what it prints; a slow reader skips, never slows.
import type { Session, Tracker } from '../sessions/index.js';
import { SessionError } from '../sessions/index.js';

export interface OutputOptions {
  lines: number;
  styles: boolean;
}

// More than this waiting for one reader: it is thrown away, and the reader gets the screen as it is then.
const MAX_WAITING_BYTES = 1024 * 1024;

export async function lastLines(session: Session, { lines, styles }: OutputOptions): Promise<string> {
  const { pane } = trackerOf(session);
  const [text, dead] = await Promise.all([
    pane.capture({ history: lines, styles }),
    pane.format('#{pane_dead}'),
  ]);
  // On the last row of a dead pane stands tmux's own word about it; empty rows above and below say nothing.
  const shown = dead === '1' ? text.replace(/\n[^\n]*\s*$/, '') : text;
  const all = shown
    .replace(/^(?:\s*\n)+/, '')
    .trimEnd()
    .split('\n');
  return `${all.slice(-lines).join('\n')}\n`;
}

export async function followOutput(
  session: Session,
  options: OutputOptions,
  write: (data: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const tracker = trackerOf(session);
  let waiting: Buffer[] = [];
  let bytes = 0;
  let skipped = false;
  let wake = (): void => {};
  const skip = (): void => {
    waiting = [];
    bytes = 0;
    skipped = true;
    wake();
  };
  const own = [
    tracker.pane.onOutput((data) => {
      if (bytes + data.length > MAX_WAITING_BYTES) skip();
      else {
        waiting.push(data);
        bytes += data.length;
        wake();
      }
    }),
    // What was printed while nobody listened is on the screen.
    tracker.pane.link.onResync(tracker.paneId, skip),
    tracker.pane.link.onState((state) => state.kind === 'gone' && wake()),
  ];
  signal.addEventListener('abort', () => wake());
  try {
    await write(Buffer.from(await lastLines(session, options)));
    while (!signal.aborted && tracker.pane.link.state.kind !== 'gone') {
      if (skipped) {
        skipped = false;
        await write(Buffer.from(await lastLines(session, options)));
      } else if (waiting.length) {
        const data = Buffer.concat(waiting);
        waiting = [];
        bytes = 0;
        await write(data);
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    for (const subscription of own) subscription.dispose();
  }
}

function trackerOf(session: Session): Tracker {
  if (session.tracker) return session.tracker;
  throw new SessionError(
    'conflict',
    `the pane of ${session.name} is gone: ${session.row.state_reason ?? 'no output can be read'}`,
  );
}
