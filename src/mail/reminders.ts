// What is to be said at a time: kept on disk, said once when it is due, and late rather than never.
import {
  insertSendKey,
  insertTimer,
  SendKeys,
  type Step,
  type TimerRow,
  Timers,
  Unmet,
  updateTimer,
} from '../store/index.js';
import { Alarm, type Clockwork } from './alarm.js';
import { MailError } from './errors.js';
import { lateLine, reminderText } from './notices.js';
import type { Speaker } from './speaker.js';
import { drawnNear, firing, isLate } from './timing.js';

export interface RemindersDeps {
  speaker: Speaker;
  clockwork?: Clockwork | undefined;
}

export interface NewReminder {
  // The session that is to be told; null for a person.
  target: string | null;
  // The session that asked for it; null for a person.
  owner: string | null;
  text: string;
  dueAt: number;
  everyMs: number | null;
}

const KEY_SCOPE = 'name:sm';

export class Reminders {
  readonly #deps: RemindersDeps;
  readonly #timers: Timers;
  readonly #keys: SendKeys;
  readonly #alarm: Alarm;
  readonly #startedAt: number;

  constructor(deps: RemindersDeps) {
    this.#deps = deps;
    const { ledger, clock, log } = deps.speaker.deps;
    this.#timers = new Timers(ledger.store);
    this.#keys = new SendKeys(ledger.store);
    this.#startedAt = clock();
    this.#alarm = new Alarm({
      clock,
      next: () => this.#next(),
      fire: () => this.#fire(),
      log,
      clockwork: deps.clockwork,
    });
  }

  // A timer may be due: one was written, or fell due while no daemon ran.
  look(): void {
    this.#alarm.look();
  }

  dispose(): Promise<void> {
    return this.#alarm.dispose();
  }

  // On disk when this resolves.
  async remind({ target, owner, text, dueAt, everyMs }: NewReminder): Promise<TimerRow> {
    const { newMessageId, ledger, clock } = this.#deps.speaker.deps;
    const id = newMessageId();
    await ledger.store.write([
      insertTimer({
        id,
        kind: 'reminder',
        target,
        owner,
        text,
        message_id: null,
        due_at: Math.round(dueAt),
        every_ms: everyMs === null ? null : Math.round(everyMs),
        created_at: clock(),
      }),
    ]);
    this.#alarm.look();
    return this.#timers.get(id) as TimerRow;
  }

  // Those that are still to come, the next one first.
  list(limit: number): TimerRow[] {
    return this.#timers.reminders(limit);
  }

  find(ref: string): TimerRow {
    const exact = this.#timers.get(ref);
    const found = exact ? [exact] : /^[0-9a-f]{4,}$/.test(ref) ? this.#timers.startingWith(ref) : [];
    const reminders = found.filter(({ kind }) => kind === 'reminder');
    const input = {
      field: 'reminder',
      value: ref,
      expected: 'the id of a reminder; "sm reminders" lists them',
    };
    if (reminders.length > 1)
      throw new MailError('ambiguous', `"${ref}" is the beginning of several ids of reminders`, input);
    if (!reminders[0]) throw new MailError('not_found', `no such reminder: ${ref}`, input);
    return reminders[0];
  }

  async cancel(reminder: TimerRow): Promise<TimerRow> {
    const { id, state, due_at, fired } = reminder;
    if (state !== 'waiting')
      throw new MailError('too_late', `the reminder ${id} is ${WORDS[state]} already`, {
        field: 'reminder',
        value: id,
        expected: 'one that is still to come; "sm reminders" lists them',
      });
    try {
      await this.#write([updateTimer(reminder, { state: 'cancelled', due_at, fired })]);
    } catch (error) {
      // It was said, or cancelled, at that moment.
      if (error instanceof Unmet) return this.cancel(this.find(id));
      throw error;
    }
    this.#alarm.look();
    return this.find(id);
  }

  #next(): number | null {
    const now = this.#deps.speaker.deps.clock();
    return this.#timers.tooFarOff(now).length > 0 ? now : this.#timers.next();
  }

  async #fire(): Promise<void> {
    const { clock, log } = this.#deps.speaker.deps;
    const now = clock();
    for (const timer of this.#timers.tooFarOff(now)) {
      const { id, due_at } = timer;
      log('reminder drawn near: the clock was set back', { timer: id, due_at });
      await this.#write([updateTimer(timer, drawnNear(timer, now))]).catch(unlessUnmet);
    }
    for (const timer of this.#timers.due(clock())) await this.#ring(timer);
  }

  // It is moved on, or done, in the same unit of writes in which it is said.
  async #ring(timer: TimerRow): Promise<void> {
    const { speaker } = this.#deps;
    const { clock, log } = speaker.deps;
    const now = clock();
    const { id, target, due_at, fired, kind } = timer;
    const after = firing(timer, now);
    if (!speaker.reaches(target)) {
      log('reminder dropped: whoever it was for has gone', { timer: id, kind, session: target });
      await this.#write([updateTimer(timer, { state: 'dropped', due_at, fired })]).catch(unlessUnmet);
    } else if (this.#lastStillWaits(timer)) {
      log('reminder left out: the one before it still waits', { timer: id, session: target });
      await this.#write([updateTimer(timer, { ...after, fired })]).catch(unlessUnmet);
    } else {
      const late = isLate(due_at, now, this.#startedAt) ? lateLine(due_at, now) : '';
      const text = kind === 'reminder' ? reminderText(timer.text) : timer.text;
      await speaker
        .say([{ to: target, text: text + late }], (messages) => [
          updateTimer(timer, after),
          ...keyed(timer, messages, now),
        ])
        .catch(unlessUnmet);
    }
  }

  // One that comes again and again does not pile up in front of an agent that takes nothing.
  #lastStillWaits(timer: TimerRow): boolean {
    const last = this.#keys.get(KEY_SCOPE, keyOf(timer, timer.fired));
    const state = last?.messages[0] && this.#deps.speaker.deps.ledger.messages.get(last.messages[0])?.state;
    return state === 'pending' || state === 'attempting';
  }

  #write(steps: readonly Step[]): Promise<unknown> {
    return this.#deps.speaker.deps.ledger.store.write(steps);
  }
}

const WORDS: Record<Exclude<TimerRow['state'], 'waiting'>, string> = {
  done: 'done',
  cancelled: 'cancelled',
  dropped: 'dropped, as whoever it was for has gone',
};

const keyOf = ({ id }: TimerRow, n: number): string => `reminder:${id}:${n}`;

// By this its next time knows what became of it.
const keyed = (timer: TimerRow, messages: string[], createdAt: number): Step[] =>
  timer.every_ms === null
    ? []
    : [
        insertSendKey({
          scope: KEY_SCOPE,
          key: keyOf(timer, timer.fired + 1),
          print: '',
          messages,
          createdAt,
        }),
      ];

// It was cancelled at that moment, or its session was removed: the next look tells.
function unlessUnmet(error: unknown): void {
  if (!(error instanceof Unmet)) throw error;
}
