// How sessions and messages look in a table.
import type { InboxItem, Message, Session } from '../api/types.js';
import { oneLine, type Style } from './print.js';
import { signalCell } from './signal-rows.js';
import { type Cell, type Column, cut } from './table.js';
import { since } from './time.js';
import { isUncertain } from './uncertain.js';

// Also where no terminal limits a row.
const MOST_COLUMNS = 300;
export const beginning = (text: string): string =>
  cut(oneLine(text.slice(0, 2 * MOST_COLUMNS)), MOST_COLUMNS);

const STATE_STYLES: Record<Session['state'], Style> = {
  live: 'green',
  starting: 'yellow',
  ended: 'dim',
  gone: 'dim',
};
const AGENT_STYLES: Record<Exclude<Session['status']['state'], 'unknown'>, Style> = {
  idle: 'green',
  busy: 'bold',
  waiting: 'yellow',
  gone: 'dim',
};
const RECEIPT_STYLES: Record<Message['receipt'], Style | undefined> = {
  queued: 'yellow',
  typed: 'yellow',
  submitted: 'green',
  received: 'green',
  done: 'green',
};

export const SESSION_COLUMNS: readonly Column[] = [
  { title: 'NAME' },
  { title: 'ID' },
  { title: 'AGENT' },
  { title: 'STATE' },
  { title: 'SINCE', right: true },
  { title: 'SIGNAL' },
  { title: 'WAITING', right: true },
  { title: 'PANE' },
  { title: 'FOLDER', text: true },
  { title: 'NOTE', text: true },
];

// What its agent does, where that is known; otherwise whether it runs at all. What is only guessed has a question mark.
export const sessionState = ({ state, status, host_down }: Session): Cell =>
  host_down !== null && state === 'live'
    ? { text: 'host down', style: 'red' }
    : state === 'live' && status.state !== 'unknown'
      ? {
          text: status.sure === 'guess' ? `${status.state}?` : status.state,
          style: AGENT_STYLES[status.state],
        }
      : { text: state, style: STATE_STYLES[state] };

const busyRemark = ({ busy_since, busy_reason }: Session): string =>
  busy_since === null ? '' : `busy${busy_reason ? `: ${busy_reason}` : ' by its own word'}`;

export function sessionRow(session: Session): Cell[] {
  const { name, id, agent, status, pending, pane, cwd, paused, held, state_reason, host, host_down } =
    session;
  const remark = [
    paused ? 'paused' : '',
    busyRemark(session),
    pending && held ? `held: ${held}` : '',
    session.signal_message ?? '',
    state_reason ?? '',
    host_down ?? '',
  ]
    .filter(Boolean)
    .join('; ');
  return [
    { text: name, style: 'bold' },
    id,
    agent,
    sessionState(session),
    status.since === null ? '-' : since(status.since),
    signalCell(session),
    pending ? String(pending) : '-',
    pane,
    oneLine(host === null ? cwd : `${host}:${cwd}`),
    oneLine(remark),
  ];
}

// What became of a message, in one word.
export function outcome({ state, receipt }: Pick<Message, 'state' | 'receipt'>): Cell {
  if (state === 'cancelled' || state === 'expired' || state === 'dead')
    return { text: state, style: state === 'dead' ? 'red' : 'dim' };
  // By its receipt it would seem to wait.
  if (isUncertain({ state, receipt })) return { text: 'uncertain', style: 'red' };
  return { text: receipt, style: RECEIPT_STYLES[receipt] };
}

export const HISTORY_COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'AGE', right: true },
  { title: 'FROM' },
  { title: 'TO' },
  { title: 'RECEIPT' },
  { title: 'TEXT', text: true },
];

export const historyRow = (message: Message): Cell[] => [
  message.id,
  since(message.created_at),
  oneLine(message.from.name),
  message.to.name,
  outcome(message),
  beginning(message.text),
];

export const QUEUE_COLUMNS: readonly Column[] = [
  { title: 'TO' },
  { title: '#', right: true },
  { title: 'ID' },
  { title: 'FROM' },
  { title: 'AGE', right: true },
  { title: 'WAITS BECAUSE', text: true },
  { title: 'TEXT', text: true },
];

export const queueRow = (message: Message): Cell[] => [
  { text: message.to.name, style: 'bold' },
  String(message.queue_position ?? '-'),
  message.id,
  oneLine(message.from.name),
  since(message.created_at),
  { text: whyItWaits(message), style: message.held ? 'yellow' : undefined },
  beginning(message.text),
];

export function whyItWaits({ state, held, held_detail, queue_position }: Message): string {
  if (held) return oneLine(held_detail ?? held);
  if (state === 'attempting') return 'being delivered';
  return queue_position !== null && queue_position > 1 ? `${queue_position - 1} before it` : 'next';
}

export const INBOX_COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'AGE', right: true },
  { title: 'FROM' },
  { title: '' },
  { title: 'TEXT', text: true },
];

export const inboxRow = (item: InboxItem): Cell[] => [
  item.id,
  since(item.created_at),
  { text: oneLine(item.from.name), style: 'bold' },
  item.read_at !== null ? { text: 'read', style: 'dim' } : { text: marks[item.mode], style: 'yellow' },
  beginning(item.text),
];

const marks: Record<InboxItem['mode'], string> = {
  sequential: 'new',
  important: 'important',
  urgent: 'urgent',
};
