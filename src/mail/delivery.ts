// What the attempts of one session share: its ways in, the record in tmux, the events, the drafts.
import {
  activityOf,
  type ComposerMemory,
  DirectInput,
  type Draft,
  type Envelope,
  type ProtocolName,
} from '../composer/index.js';
import { type Doors, type Registry, type Session, statusOf, type Tracker } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { KeyHold, PaneView } from '../tmux/index.js';
import type { AttemptContext } from './attempt-context.js';
import type { Config } from './config.js';
import { DraftKeeper } from './draft-keeper.js';
import type { Typed } from './envelope.js';
import type { Hold } from './gate.js';
import { claimValue, formatEntry, journalName } from './journal.js';
import type { Keeper } from './keeper.js';
import type { Ledger } from './ledger.js';
import { heldOf } from './lifecycle.js';
import { type JournalRef, swapTools } from './swap-tools.js';
import { UnreadBox } from './unread-box.js';
import { atAnyPrice, type ProtocolAids, type Ways, waysOf } from './ways.js';
import { formOf } from './whereabouts.js';

export interface DeliveryDeps {
  registry: Registry;
  doors: Doors;
  ledger: Ledger;
  keeper: Keeper;
  config: Config;
  swapFolder: (session: string) => string;
  lease: string;
  clock: () => number;
  newDraftId: () => string;
  log: (message: string, details: Record<string, unknown>) => void;
}

// `next`: something was settled, look for more; otherwise when to look again, if no event will tell.
export type Next = 'next' | { retryAt?: number | undefined };

export class Delivery {
  readonly drafts: DraftKeeper;
  readonly unread: UnreadBox;
  #journal: { pane: string; ref: JournalRef } | undefined;

  constructor(
    readonly session: Session,
    readonly deps: DeliveryDeps,
    readonly signal: () => AbortSignal,
  ) {
    this.drafts = new DraftKeeper(session, deps);
    this.unread = new UnreadBox(deps.clock);
  }

  ways(): Promise<Ways> {
    return waysOf(this.session, { ...this.deps, store: this.deps.ledger.store });
  }

  async waysFor({ force }: Pick<MessageRow, 'force'>): Promise<Ways> {
    const ways = await this.ways();
    return force === 1 ? atAnyPrice(ways) : ways;
  }

  async submitted(
    row: MessageRow,
    facts: { evidence: string; heldMs?: number | undefined; draft?: string | undefined },
    composer: ComposerMemory,
  ): Promise<void> {
    const { ledger, registry, doors } = this.deps;
    const isBell = formOf(ledger, row.id) === 'bell';
    // Of a bell the box tells nothing but that it rang: its text has still to be shown.
    const kind = isBell ? 'accepted' : 'submitted';
    await ledger.record(this.fresh(row), { kind, ...facts }, [registry.composerStep(this.session, composer)]);
    if (isBell) doors.of(this.session)?.bell?.rung(row.id);
  }

  async begin(
    row: MessageRow,
    way: ProtocolName,
    tracker: Tracker,
    composer: ComposerMemory,
    { form, riders }: Pick<Typed, 'form' | 'riders'>,
  ): Promise<MessageRow> {
    const { ledger, registry, lease } = this.deps;
    const { session } = this;
    await this.journal(tracker);
    return ledger.begin(
      row,
      riders.flatMap((id) => ledger.messages.get(id) ?? []),
      {
        kind: 'attempt',
        epoch: session.row.epoch,
        lease,
        way,
        ...(form === 'bell' && { bell: true }),
      },
      [registry.composerStep(session, composer)],
    );
  }

  async hold(message: MessageRow, { reason, detail, retryAt }: Hold): Promise<Next> {
    const held = heldOf(message);
    if (held?.reason !== reason || held.detail !== detail)
      await this.deps.ledger.record(message, { kind: 'held', reason, detail });
    return { retryAt };
  }

  fresh(message: MessageRow): MessageRow {
    return this.deps.ledger.messages.get(message.id) ?? message;
  }

  input(tracker: Tracker, hold?: KeyHold): DirectInput {
    const { cursorShownInBox } = this.session.profile;
    return new DirectInput(tracker.pane, journalName(tracker.paneId), hold?.mark, cursorShownInBox);
  }

  // Our record in tmux of the last key; taken over from whoever had it before.
  async journal(tracker: Tracker): Promise<JournalRef> {
    if (this.#journal?.pane !== tracker.paneId) {
      const value = claimValue(this.deps.lease);
      await this.input(tracker).claim(value);
      this.#journal = { pane: tracker.paneId, ref: { value } };
    }
    return this.#journal.ref;
  }

  async takeOver(tracker: Tracker, value: string): Promise<JournalRef> {
    await this.input(tracker).claim(value);
    this.#journal = { pane: tracker.paneId, ref: { value } };
    return this.#journal.ref;
  }

  // What an attempt has recorded itself; undefined when somebody else has the journal now.
  noteJournal(value: string | undefined): void {
    if (value === undefined) this.#journal = undefined;
    else if (this.#journal) this.#journal.ref.value = value;
  }

  ownEntry(): string | undefined {
    return this.#journal?.ref.value;
  }

  async tools(
    row: MessageRow,
    envelope: Envelope,
    tracker: Tracker,
    ways: Ways,
    way: ProtocolName,
    hold?: KeyHold,
  ) {
    return swapTools({
      tracker,
      profile: ways.profile,
      envelope,
      look: this.session.composer.look,
      journal: await this.journal(tracker),
      hold: hold?.mark,
      onLost: () => this.noteJournal(undefined),
      fault: this.deps.ledger.fault,
      entry: (step) => formatEntry({ lease: this.deps.lease, message: row.id, attempt: row.attempts, step }),
      save: (draft: Draft) => this.drafts.save(row, way, draft),
      token: `${row.id}-${row.attempts}`,
      clock: this.deps.clock,
      signal: this.signal(),
    });
  }

  // What single protocols need beside the tools.
  aids(view: PaneView): ProtocolAids {
    const { registry, swapFolder } = this.deps;
    const { session } = this;
    const own = session.tracker?.server.ownClientPids ?? new Set<number>();
    // tmux tells whole seconds: the key may have come up to one later.
    const quietSince = (activityOf(view, own) + 1) * 1000;
    return {
      swapFolder: swapFolder(session.id),
      interrupt: {
        quietSince: () => quietSince,
        journal: {
          lastInterruptAt: () => session.composer.interruptedAt ?? null,
          willInterrupt: async (at) => {
            const step = registry.composerStep(session, { ...session.composer, interruptedAt: at });
            await registry.deps.store.write([step]);
          },
        },
      },
    };
  }

  async recordTyped(row: MessageRow, evidence: string): Promise<void> {
    const current = this.fresh(row);
    if (current.receipt !== 'typed') await this.deps.ledger.record(current, { kind: 'typed', evidence });
  }

  isWaiting(): boolean {
    return statusOf(this.session).state === 'waiting';
  }

  async context(
    message: MessageRow,
    input: DirectInput,
    envelope: Typed,
    tracker: Tracker,
    composer = this.session.composer,
  ): Promise<AttemptContext> {
    const { lease, clock } = this.deps;
    const { profile } = await this.ways();
    const { epoch } = this.session.row;
    return {
      input,
      envelope,
      composer,
      lease,
      message: message.id,
      attempt: message.attempts,
      enterGapMs: profile.enterGapMs,
      submitKey: profile.submitKey,
      ownClients: () => tracker.server.ownClientPids,
      // By now another may be the one that is followed.
      isSameProgram: async () => (await tracker.assess()).kind === 'same' && this.session.row.epoch === epoch,
      isWaiting: () => this.isWaiting(),
      fault: this.deps.ledger.fault,
      signal: this.signal(),
      clock,
      typed: (evidence) => this.recordTyped(message, evidence),
      held: async (reason, detail) => void (await this.hold(this.fresh(message), { reason, detail })),
    };
  }
}

// What stood in the way may still stand there: looked at again after output, or after this long.
export const REFUSED_RETRY_MS = 2000;
