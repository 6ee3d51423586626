// One session or one message in full.
import type { InboxItem, Message, MessageEvent, MessageWithEvents, Session } from '../api/types.js';
import { sayFields } from './fields.js';
import { oneLine, paint, plural, say, visible } from './print.js';
import { beginning, outcome, QUEUE_COLUMNS, queueRow, sessionState, whyItWaits } from './rows.js';
import { signalOf } from './signal-rows.js';
import { type Cell, sayTable } from './table.js';
import { dayAndClock, duration, since } from './time.js';

const painted = (cell: Cell): string => (typeof cell === 'string' ? cell : paint(cell.style, cell.text));

export function saySession(session: Session, pending: Message[]): void {
  const { program } = session;
  say(`${paint('bold', session.name)} (${session.id}): ${painted(sessionState(session))}`);
  sayFields([
    ['reason', session.state_reason === null ? undefined : oneLine(session.state_reason)],
    ['agent', session.agent],
    ['status', statusOf(session)],
    ['signal', signalOf(session)],
    ['door', doorOf(session)],
    ['command', session.command.length ? session.command.map(quoted).join(' ') : undefined],
    ['program', program ? `${oneLine(program.name)}, pid ${program.pid}` : 'none'],
    ['host', session.host === null ? undefined : hostOf(session)],
    ['folder', oneLine(session.cwd)],
    ['pane', `${session.pane} of tmux session ${session.tmux_session} on ${session.socket}`],
    ['epoch', String(session.epoch)],
    [session.origin, `${dayAndClock(session.created_at)} (${since(session.created_at)} ago)`],
    ['parent', session.parent ? `${session.parent.name ?? 'gone'} (${session.parent.id})` : undefined],
    ['groups', session.groups.length ? session.groups.join(', ') : undefined],
    ['busy', busyOf(session)],
    ['delivery', session.paused ? paint('yellow', 'paused') : 'on'],
    ['past draft', session.past_draft ?? 'as the configuration says'],
    ['waiting', pending.length ? plural(pending.length, 'message') : 'nothing'],
  ]);
  if (pending.length) say();
  if (pending.length)
    sayTable(
      QUEUE_COLUMNS.slice(1),
      pending.map((message) => queueRow(message).slice(1)),
    );
}

function statusOf({ status: { state, detail, since: from, source, sure } }: Session): string {
  if (from === null) return 'not known';
  const what = detail ? `${state} (${oneLine(detail)})` : state;
  return `${what} for ${since(from)}, by its ${source}: ${sure === 'guess' ? 'a guess' : sure}`;
}

const hostOf = ({ host, host_down }: Session): string =>
  host_down === null ? `${host}` : `${host}, ${paint('red', 'down')}: ${oneLine(host_down)}`;

const busyOf = ({ busy_since, busy_reason }: Session): string | undefined =>
  busy_since === null
    ? undefined
    : `by its own word for ${since(busy_since)}${busy_reason ? `: ${oneLine(busy_reason)}` : ''}; sequential mail waits`;

const doorOf = ({ door }: Session): string | undefined =>
  door ? `${door.name}, ${door.state}${door.reason ? `: ${oneLine(door.reason)}` : ''}` : undefined;

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${oneLine(word).replaceAll("'", "'\\''")}'`;

export function sayMessage(message: MessageWithEvents, talk: readonly Said[] = []): void {
  const { from, to, events } = message;
  const waits = message.state === 'pending' || message.state === 'attempting';
  say(`${paint('bold', message.id)}: ${painted(outcome(message))}`);
  sayFields([
    ['from', from.id ? `${oneLine(from.name)} (${from.id})` : oneLine(from.name)],
    ['to', `${to.name} (${to.id})`],
    ['sent', `${dayAndClock(message.created_at)} (${since(message.created_at)} ago)`],
    ['mode', message.command ? `${message.mode}, as a command` : message.mode],
    ['answers', message.in_reply_to === null ? undefined : `#${message.in_reply_to}`],
    ['thread', threadOf(message, talk)],
    ['state', message.state],
    ['position', message.queue_position === null ? undefined : String(message.queue_position)],
    ['waits', waits ? paint(message.held ? 'yellow' : undefined, whyItWaits(message)) : undefined],
    ['attempts', String(message.attempts)],
    ['past draft', message.past_draft ?? 'as its session says'],
    ['as', message.as],
    ['way', message.way ?? undefined],
    [
      'received',
      message.evidence === null
        ? undefined
        : `${oneLine(message.evidence)}${message.turn ? `, turn ${message.turn}` : ''}`,
    ],
    ['answer', message.answer === null ? undefined : oneLine(message.answer.slice(0, 500))],
    ['keys', message.held_ms === null ? undefined : `a person's keys waited ${duration(message.held_ms)}`],
    [
      'draft',
      message.draft === null ? undefined : `${message.draft} was saved; sm drafts show ${message.draft}`,
    ],
  ]);
  say();
  for (const line of visible(message.text).split('\n')) say(`  ${paint('dim', '│')} ${line}`);
  sayTalk(message.id, talk);
  say();
  sayTable(
    [{ title: 'AT' }, { title: 'AFTER', right: true }, { title: 'EVENT' }, { title: '' }],
    timeline(events),
  );
}

// Counted from the first event: the time since the message was stored.
export function timeline(events: readonly MessageEvent[]): Cell[][] {
  const start = Date.parse(events[0]?.at ?? '');
  return events.map(({ at, kind, data }, index) => [
    { text: dayAndClock(at), style: 'dim' },
    index === 0 ? '' : `+${duration(Date.parse(at) - start)}`,
    { text: kind, style: 'bold' },
    oneLine(
      Object.entries(data)
        .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' '),
    ),
  ]);
}

// One message of a conversation, whoever it was for.
export type Said = Pick<Message, 'id' | 'from' | 'text' | 'created_at'> & { to: string };

const threadOf = (
  { id, thread }: Pick<Message, 'id' | 'thread'>,
  talk: readonly Said[],
): string | undefined =>
  talk.length < 2 && thread === id ? undefined : `${thread}, ${plural(talk.length, 'message')}`;

function sayTalk(id: string, talk: readonly Said[]): void {
  if (talk.length < 2) return;
  say();
  sayTable(
    [{ title: 'CONVERSATION' }, { title: 'FROM' }, { title: 'TO' }, { title: 'TEXT', text: true }],
    talk.map((said) => [
      { text: said.id, style: said.id === id ? 'bold' : undefined },
      oneLine(said.from.name),
      oneLine(said.to),
      beginning(said.text),
    ]),
  );
}

// Mail to the person in full.
export function sayInboxItem(item: InboxItem, talk: readonly Said[] = []): void {
  const { from } = item;
  say(`${paint('bold', item.id)}: ${item.read_at === null ? paint('yellow', 'unread') : 'read'}`);
  sayFields([
    ['from', from.id ? `${oneLine(from.name)} (${from.id})` : oneLine(from.name)],
    ['sent', `${dayAndClock(item.created_at)} (${since(item.created_at)} ago)`],
    ['mode', item.mode === 'sequential' ? undefined : item.mode],
    ['answers', item.in_reply_to === null ? undefined : `#${item.in_reply_to}`],
    ['thread', threadOf(item, talk)],
  ]);
  say();
  for (const line of visible(item.text).split('\n')) say(`  ${paint('dim', '│')} ${line}`);
  sayTalk(item.id, talk);
}
