// The history as lines of JSON: what is stored of sessions, messages, events and signals, times as ISO 8601.
import type { EventRow, History, SessionRow, SignalRow, StoredMessage } from '../store/index.js';

// Whole pages of lines; between two of them others have their turn.
export function* exportPages(history: History, since: number): Generator<string> {
  const sessions = history.sessions();
  yield sessions.map(sessionLine).join('');
  const count = { sessions: sessions.length, messages: 0, events: 0, signals: 0 };
  const last = history.last();
  for (let next: number | null = 0; next !== null; ) {
    const page = history.page(next, last, since);
    next = page.next;
    for (const { events } of page.messages) {
      count.messages++;
      count.events += events.length;
    }
    yield page.messages.map(({ row, events }) => messageLine(row) + events.map(eventLine).join('')).join('');
  }
  for (let after = 0; ; ) {
    const signals = history.signals(after, since);
    yield signals.map(signalLine).join('');
    count.signals += signals.length;
    const end = signals.at(-1);
    if (!end) break;
    after = end.ordinal;
  }
  yield line('end', count);
}

const line = (type: string, fields: object): string => `${JSON.stringify({ type, ...fields })}\n`;
const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

// Not how it is reached: a door may have secrets of its agent's.
const sessionLine = (row: SessionRow): string =>
  line('session', {
    id: row.id,
    name: row.name,
    agent: row.agent,
    origin: row.origin,
    command: JSON.parse(row.command) as unknown,
    cwd: row.cwd,
    epoch: row.epoch,
    state: row.state,
    state_reason: row.state_reason,
    created_at: time(row.created_at),
    removed_at: time(row.removed_at),
  });

const signalLine = ({ session, seq, state, message, id, door, at, confidence }: SignalRow): string =>
  line('signal', { session, seq, state, message, id, door, at: time(at), confidence });

// Every column that there is, so that none is forgotten here when one is added.
const messageLine = ({ rank: _, ...row }: StoredMessage): string =>
  line(
    'message',
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, readable(column, value)])),
  );

function readable(column: string, value: string | number | null): unknown {
  if (column.endsWith('_at') && typeof value === 'number') return time(value);
  if (column === 'command') return value === 1;
  return column === 'held' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}

const eventLine = ({ message_id, seq, at, kind, data }: EventRow): string =>
  line('event', { message: message_id, seq, at: time(at), kind, data: JSON.parse(data) as unknown });
