// How signals look: in a table, on a line, and beside their session.
import type { Session, Signal } from '../api/types.js';
import { oneLine, type Style } from './print.js';
import type { Cell, Column } from './table.js';
import { dayAndTime, since } from './time.js';

export const SIGNAL_COLUMNS: readonly Column[] = [
  { title: 'AT' },
  { title: 'SESSION' },
  { title: 'SEQ', right: true },
  { title: 'STATE' },
  { title: 'BY' },
  { title: 'MESSAGE', text: true },
];

const URGENCY_STYLES: Record<Signal['urgency'], Style | undefined> = {
  high: 'yellow',
  normal: 'green',
  low: undefined,
};

const nameOf = ({ session }: Signal): string => session.name ?? session.id;

// What somebody made of its screen has a question mark.
const stateOf = (state: string, door: string | null): string => (door === 'inferred' ? `${state}?` : state);

export const signalRow = (signal: Signal): Cell[] => [
  { text: dayAndTime(signal.at), style: 'dim' },
  { text: nameOf(signal), style: 'bold' },
  String(signal.seq),
  { text: stateOf(signal.state, signal.door), style: URGENCY_STYLES[signal.urgency] },
  signal.door,
  oneLine(signal.message),
];

// The number first: it goes into --after.
export const signalLine = (signal: Signal): string =>
  [signal.seq, nameOf(signal), stateOf(signal.state, signal.door), oneLine(signal.message)]
    .filter((word) => word !== '')
    .join(' ');

// Of a session: what it last reported, and since when.
export const signalCell = ({ signal_state, signal_at, signal_door }: Session): Cell =>
  signal_state === null || signal_at === null
    ? '-'
    : `${stateOf(signal_state, signal_door)} ${since(signal_at)}`;

export const signalOf = (session: Session): string | undefined => {
  const { signal_seq, signal_state, signal_message, signal_door, signal_at } = session;
  if (signal_state === null || signal_at === null) return undefined;
  const message = signal_message ? `: ${oneLine(signal_message)}` : '';
  return `${signal_state}${message} for ${since(signal_at)}, number ${signal_seq}, by its ${signal_door}`;
};
