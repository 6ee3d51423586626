// Delivers one session's mail, one message at a time and in order, whenever nothing of a person's is in the way.
import fs from 'node:fs';
import { activityOf } from '../composer/index.js';
import { processesOf, type Session, shownStatusOf } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import { rowText } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { along, choose } from './bell.js';
import type { BoxTurns } from './box-turns.js';
import { pastDraftOf } from './config.js';
import { EXPIRED } from './deadlines.js';
import { deliver } from './deliver.js';
import { Delivery, type DeliveryDeps, type Next } from './delivery.js';
import { chooseDoor, type DoorChoice, olderHold, resumeDoor, throughDoor } from './door-way.js';
import { envelopeOf } from './envelope.js';
import { dead, isDead } from './failing.js';
import { agentHold, type Hold, holdOf, type Judged, judgeBox, returnedHold, shutOff } from './gate.js';
import { interruptTurn } from './interrupt-turn.js';
import { heldOf, type Way } from './lifecycle.js';
import { type Passage, passage } from './past-draft.js';
import { freeKeys, resume } from './resume.js';
import { returnDraft } from './return-draft.js';
import { Rounds } from './rounds.js';
import { endTrial, tryKeys } from './trying.js';
import { firstInLine, QUEUE_LOOK, type Turn } from './turn-in-line.js';
import { wayOf } from './whereabouts.js';

// What a way in is chosen by.
type Planned = Pick<MessageRow, 'command' | 'mode' | 'speaks' | 'sender_session' | 'past_draft' | 'force'>;

export interface CourierDeps extends DeliveryDeps {
  turns: BoxTurns;
  isPaused: () => boolean;
}

// How long a box that refused a swap is left alone while it looks the same; twice as long each time it refuses again.
const SHUT_MS = 10_000;
const LONGEST_SHUT_MS = 5 * 60_000;
const SHUT: ReadonlySet<string> = new Set(['not_at_prompt', 'draft_unreadable', 'stash_taken']);
const TRIED: Hold = {
  reason: 'box_not_read',
  detail: 'a trial of its keys was cut off, and what it typed is still in the box',
};
const DESK: Hold = {
  reason: 'draft',
  detail: "a person's draft is being put back into its box at this moment",
};
// A cooked terminal takes 4095 bytes a line.
const COOKED_LINE_BYTES = 4000;

export class Courier {
  readonly #deps: CourierDeps;
  readonly #session: Session;
  readonly rounds: Rounds;
  readonly #delivery: Delivery;
  // How the box looked last, and since when it has looked so.
  #box = { print: '', since: 0 };
  // A box that no editor came from is not tried again while it looks the same.
  #shut = { print: '', until: 0, ms: 0 };
  // Its door would not take this message: it goes another way.
  #refusedByDoor = '';

  constructor(session: Session, deps: CourierDeps) {
    this.#session = session;
    this.#deps = deps;
    this.rounds = new Rounds({
      clock: deps.clock,
      pollMs: () => deps.config.inputPollMs,
      step: () => this.#step(),
      failed: (error) =>
        deps.log('delivery failed', { session: session.id, error: (error as Error).stack ?? String(error) }),
    });
    this.#delivery = new Delivery(session, deps, () => this.rounds.signal);
  }

  // Its session is no more: so is the folder of its hand-overs, once no attempt needs it.
  async end(): Promise<void> {
    await this.rounds.dispose();
    const { log, swapFolder } = this.#deps;
    await fs.promises
      .rm(swapFolder(this.#session.id), { recursive: true, force: true })
      .catch((error: unknown) =>
        log('swap folder not removed', { session: this.#session.id, error: String(error) }),
      );
  }

  // While a person's draft is being put back nothing is begun; whoever does that wakes us.
  async #step(): Promise<Next | 'idle'> {
    const turn = this.#deps.turns.tryBegin(this.#session.id, 'courier');
    if (!turn) return this.#waitForDesk();
    try {
      return await this.#stepAtBox();
    } finally {
      turn.end();
    }
  }

  async #waitForDesk(): Promise<Next | 'idle'> {
    const first = this.#deps.ledger.messages.next(this.#session.id);
    if (this.#deps.turns.who(this.#session.id) !== 'desk') return {};
    if (first?.state !== 'pending' || first.held !== null) return {};
    return this.#delivery.hold(first, shutOff(this.#session, this.#deps) ?? DESK);
  }

  // One thing for the first message that waits: deliver it, or say why not.
  async #stepAtBox(): Promise<Next | 'idle'> {
    const { messages } = this.#deps.ledger;
    const begun = messages.next(this.#session.id);
    if (begun?.state === 'attempting')
      return wayOf(this.#deps.ledger, begun) === 'door'
        ? resumeDoor(this.#delivery, begun)
        : resume(this.#delivery, begun);
    // Where nothing may go, nobody's turn matters.
    const closed = shutOff(this.#session, this.#deps);
    const turn = begun && (closed ? { message: begun, hold: closed } : this.#turn());
    const message = turn?.message;
    if (!(await this.#isClean())) {
      const retryAt = this.#deps.clock() + SHUT_MS;
      return begun ? this.#delivery.hold(begun, { ...TRIED, retryAt }) : { retryAt };
    }
    const owed = this.#delivery.drafts.owed()[0];
    if (owed && this.#session.row.state === 'live') {
      const returned = await returnDraft(this.#delivery, owed);
      if (returned !== 'next') {
        const detail = "a person's draft has to go back into its box first, and the box cannot be read now";
        return message
          ? this.#delivery.hold(message, { reason: 'box_not_read', detail, ...returned })
          : returned;
      }
    }
    if (!message) return 'idle';
    const ended = await this.#ended(message);
    if (ended) return ended;
    if ('hold' in turn) return this.#delivery.hold(message, turn.hold);
    const returned = returnedHold(this.#deps.ledger, message, this.#deps.clock());
    if (returned) return this.#delivery.hold(message, returned);
    if (message.mode === 'urgent') {
      // Nothing is stopped for mail that would have to wait all the same.
      const plan = await this.plan(message);
      if ('reason' in plan) return this.#delivery.hold(message, plan);
      const hold = await interruptTurn(this.#delivery, message);
      if (hold) return this.#delivery.hold(message, hold);
    }
    return (await this.#byDoor(message)) ?? this.#byPane(this.#delivery.fresh(message));
  }

  // What a trial of its keys typed, which was cut off, is out of the box again.
  async #isClean(): Promise<boolean> {
    const { tracker, row, composer } = this.#session;
    if (!composer.trying || row.state !== 'live' || tracker?.pane.link.state.kind !== 'up') return true;
    const { profile } = await this.#delivery.ways();
    return endTrial(this.#delivery, tracker, await this.#deps.keeper.left(tracker, profile));
  }

  // Whose turn it is in the queue, and what keeps it.
  #turn(): Turn<MessageRow> {
    const { ledger, clock, doors } = this.#deps;
    const now = clock();
    return firstInLine(ledger.messages.pending(this.#session.id, QUEUE_LOOK), {
      now,
      status: shownStatusOf(this.#session, doors.of(this.#session), now),
      busySince: this.#session.row.busy_since,
      lastOutputAt: this.#session.tracker?.lastOutputAt,
    });
  }

  // Its time is over, or it has failed too often.
  async #ended(message: MessageRow): Promise<Next | undefined> {
    const { ledger, clock, config } = this.#deps;
    const isOver = message.expires_at !== null && message.expires_at <= clock();
    if (!isOver && !isDead(message, config.maxAttempts)) return undefined;
    await ledger.record(message, isOver ? EXPIRED : dead(message));
    return 'next';
  }

  #doorFor(message: Planned): DoorChoice {
    const { doors, clock } = this.#deps;
    const door = doors.isComing(this.#session) ? 'coming' : doors.of(this.#session);
    const choice = chooseDoor(door, message, clock());
    const hold = choice.kind === 'door' && olderHold(this.#session, this.#deps.ledger);
    return hold ? { kind: 'wait', hold } : choice;
  }

  // Undefined where another way has to be taken.
  async #byDoor(message: MessageRow): Promise<Next | undefined> {
    const refused = `${message.id} ${this.#session.row.epoch}`;
    const choice = this.#doorFor(message);
    if (choice.kind === 'other' || refused === this.#refusedByDoor) return undefined;
    if (choice.kind === 'wait') return this.#delivery.hold(message, choice.hold);
    const next = await throughDoor(
      this.#delivery,
      message,
      choice.door,
      along(this.#delivery, message, 'door'),
    );
    if (next !== 'other') return next;
    this.#refusedByDoor = refused;
    return undefined;
  }

  // Through the input box, past whatever a person has in it.
  async #byPane(message: MessageRow): Promise<Next> {
    const inTheWay = agentHold(this.#session, this.#deps, message);
    if (inTheWay) return this.#delivery.hold(message, inTheWay);
    const { epoch } = this.#session.row;
    const gate = await this.#judge();
    if (!('view' in gate)) return this.#delivery.hold(message, gate);
    // Another process has the pane since its door was asked for: that one may have a door too.
    if (this.#session.row.epoch !== epoch) return 'next';
    const allowed = await this.#rule(message, gate);
    const way = allowed(gate.decision);
    if (way.kind === 'wait') {
      const hold = holdOf(gate.decision);
      const { detail = hold?.detail ?? '', retryAt } = way;
      return hold ? this.#delivery.hold(message, { ...hold, detail, retryAt }) : {};
    }
    const chosen = await choose(this.#delivery, message);
    const isCut =
      longestLine(chosen.payload) > COOKED_LINE_BYTES &&
      (await processesOf(gate.tracker.server).isCanonical(gate.view.tty));
    // It may be another's line.
    const envelope = isCut && chosen.riders.length > 0 ? envelopeOf([message]) : chosen;
    if (isCut && longestLine(envelope.payload) > COOKED_LINE_BYTES) {
      const detail = `the program reads lines from a cooked terminal, which cuts them at 4095 bytes; this message has a longer one`;
      return this.#delivery.hold(message, { reason: 'line_too_long', detail });
    }
    if (way.kind === 'direct' && this.#mayTry(message))
      await tryKeys(this.#delivery, gate.tracker, await this.#delivery.ways());
    const print = printOf(gate.view);
    if (print === this.#shut.print && this.#deps.clock() < this.#shut.until && way.kind === 'past')
      return { retryAt: this.#shut.until };
    const next = await deliver(this.#delivery, message, envelope, gate, way, allowed);
    if (next !== 'next' && SHUT.has(heldOf(this.#delivery.fresh(message))?.reason ?? ''))
      this.#shut = shutAgain(this.#shut, print, this.#deps.clock());
    return next;
  }

  // For `sm send --dry-run`: what would happen to a message now, without anything being recorded.
  async plan(message: Planned): Promise<Hold | { way: Way; door?: string }> {
    const closed = shutOff(this.#session, this.#deps);
    if (closed) return closed;
    const choice = this.#doorFor(message);
    if (choice.kind === 'wait') return choice.hold;
    if (choice.kind === 'door') return { way: 'door', door: choice.door.name };
    const inTheWay = agentHold(this.#session, this.#deps, message);
    if (inTheWay) return inTheWay;
    const gate = await this.#judge();
    if (!('view' in gate)) return gate;
    const way = (await this.#rule(message, gate))(gate.decision);
    const { protocols } = await this.#delivery.waysFor(message);
    if (way.kind === 'direct') return { way: 'direct' };
    const hold = way.kind === 'wait' ? holdOf(gate.decision) : undefined;
    return hold ?? { way: protocols[0] ?? 'direct' };
  }

  // Lets go of keys that a daemon which is gone left waiting, unless an attempt of its is to be finished first, or a draft is to go back.
  async recover(): Promise<void> {
    const turn = this.#deps.turns.tryBegin(this.#session.id, 'courier');
    try {
      const message = this.#deps.ledger.messages.next(this.#session.id);
      const isOwed = this.#delivery.drafts.owed().length > 0;
      if (turn && message?.state !== 'attempting' && !isOwed) await freeKeys(this.#delivery);
    } finally {
      turn?.end();
      this.rounds.wake();
    }
  }

  // Once the box is known for certain, and only where mail may go past a draft at all.
  #mayTry(message: MessageRow): boolean {
    const { composer, row } = this.#session;
    const policy = pastDraftOf(message, row, this.#deps.config);
    return composer.proven && composer.cursorTells === true && policy !== 'never';
  }

  async #judge(): Promise<Hold | Judged> {
    const { typingPauseMs } = this.#deps.config;
    const gate = await judgeBox(this.#session, { ...this.#deps, typingPauseMs });
    if ('view' in gate) {
      const print = printOf(gate.view);
      if (print !== this.#box.print) this.#box = { print, since: this.#deps.clock() };
    }
    return gate;
  }

  // Whether mail may go past a box that is judged so.
  async #rule(
    message: Pick<MessageRow, 'past_draft' | 'force'>,
    { view, tracker }: Judged,
  ): Promise<(decision: Judged['decision']) => Passage> {
    const { config, clock } = this.#deps;
    const { protocols, exact, profile } = await this.#delivery.waysFor(message);
    const policy = message.force === 1 ? 'now' : pastDraftOf(message, this.#session.row, config);
    const lastKeyAt = activityOf(view, tracker.server.ownClientPids) * 1000;
    const now = clock();
    const rest = {
      policy,
      exact,
      possible: protocols.length > 0,
      keepsKeys: profile.keepsKeys,
      heldMs: message.force === 1 ? 0 : (this.#session.composer.heldMs ?? 0),
      heldAt: this.#deps.keeper.endedAt(tracker.pane),
      lastKeyAt,
      unchangedSince: this.#box.since,
      now,
    };
    return (decision) => passage({ decision, ...rest }, config);
  }
}

function shutAgain(shut: { print: string; ms: number }, print: string, now: number) {
  const ms = shut.print === print ? Math.min(shut.ms * 2, LONGEST_SHUT_MS) : SHUT_MS;
  return { print, ms, until: now + ms };
}

const printOf = ({ cursor, rows }: PaneView): string =>
  `${cursor.x},${cursor.y} ${rowText(rows[cursor.y] ?? [])}`;

const longestLine = (text: string): number =>
  Math.max(...text.split('\n').map((line) => Buffer.byteLength(line)));
