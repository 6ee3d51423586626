// Carries out the attempts of one session: chooses the way in, holds the persons' keys, keeps the journal.
import {
  activityOf,
  baseline,
  type ComposerMemory,
  DirectInput,
  type Draft,
  decide,
  type Envelope,
  type ProtocolName,
  persons,
  type Refusal,
} from '../composer/index.js';
import type { Registry, Session, Tracker } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { KeyHold, PaneView } from '../tmux/index.js';
import { Attempt, type AttemptContext, type AttemptOutcome, relearn } from './attempt.js';
import type { Config } from './config.js';
import { DraftKeeper } from './draft-keeper.js';
import { type Hold, holdOf, type Judged, LOOK_INTERVAL_MS, memoryOf } from './gate.js';
import { claimValue, formatEntry, journalName } from './journal.js';
import type { Keeper } from './keeper.js';
import type { Ledger } from './ledger.js';
import { type HeldReason, heldOf } from './lifecycle.js';
import type { Passage } from './past-draft.js';
import { type SwapOutcome, swap } from './swap.js';
import { type JournalRef, swapTools } from './swap-tools.js';
import { makeProtocol, type ProtocolAids, type Ways, waysOf } from './ways.js';

export interface DeliveryDeps {
  registry: Registry;
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

// A person in the middle of a tmux command is done with it within moments.
const PENDING_PREFIX_MS = 300;
// How long a busy agent's repainting is waited out before its box is looked at.
const LONGEST_QUIET_MS = 400;

// A key may take this long until it shows: Copilot paints every 250 ms.
const ECHO_MS = 300;

export class Delivery {
  readonly drafts: DraftKeeper;
  #journal: { pane: string; ref: JournalRef } | undefined;

  constructor(
    readonly session: Session,
    readonly deps: DeliveryDeps,
    readonly signal: () => AbortSignal,
  ) {
    this.drafts = new DraftKeeper(session, deps);
  }

  ways(): Promise<Ways> {
    return waysOf(this.session, { ...this.deps, store: this.deps.ledger.store });
  }

  // `allowed` says for the box as it is judged once the keys are held whether mail may go past it.
  async deliver(
    message: MessageRow,
    envelope: Envelope,
    { tracker, view }: Judged,
    passage: Passage,
    allowed: (decision: Judged['decision']) => Passage,
  ): Promise<Next> {
    const ways = await this.ways();
    const own = tracker.server.ownClientPids;
    if (passage.kind === 'direct' && persons(view, own).length === 0 && !this.#wantsProof(ways))
      return this.#direct(message, envelope, tracker, view, undefined);
    const start = await this.deps.keeper.hold(tracker, ways.profile);
    if (start.outcome === 'refused') {
      if (start.reason === 'foreign_control') {
        // Keys that cannot be made to wait: an empty box, or a draft that nobody has touched for long.
        if (passage.kind === 'direct') return this.#direct(message, envelope, tracker, view, undefined);
        if (passage.kind === 'past' && passage.stale)
          return this.#past(message, envelope, tracker, ways, view, async () => undefined);
      }
      return this.hold(message, {
        reason:
          start.reason === 'in_mode' || start.reason === 'synchronized' ? start.reason : 'keys_not_held',
        detail: `a person's keys cannot be made to wait now: ${start.detail}`,
        retryAt: this.deps.clock() + PENDING_PREFIX_MS,
      });
    }
    return this.#underHold(message, envelope, tracker, ways, start.hold, allowed);
  }

  async #underHold(
    message: MessageRow,
    envelope: Envelope,
    tracker: Tracker,
    ways: Ways,
    hold: KeyHold,
    allowed: (decision: Judged['decision']) => Passage,
  ): Promise<Next> {
    const letGo = (): Promise<number | undefined> => this.deps.keeper.release(hold);
    try {
      const quietMs = ways.profile.editor?.quietMs ?? 0;
      const silentMs = this.deps.clock() - (tracker.lastOutputAt ?? 0);
      if (silentMs < quietMs) await tracker.pane.waitForGap(quietMs, LONGEST_QUIET_MS);
      const { view, decision } = await this.#judgeHeld(tracker, ways);
      if (ways.profile.cursorShownInBox && !view.cursor.visible && !view.dead && !view.inMode)
        return await this.hold(message, NO_CURSOR);
      const passage = allowed(decision);
      if (passage.kind === 'wait') {
        const reason = holdOf(decision);
        return reason ? await this.hold(message, { ...reason, retryAt: passage.retryAt }) : {};
      }
      if (passage.kind === 'direct' && !this.#wantsProof(ways))
        return await this.#direct(message, envelope, tracker, view, letGo);
      return await this.#past(message, envelope, tracker, ways, view, letGo);
    } finally {
      await letGo();
    }
  }

  // Nobody types now, so only what stands in the box counts; but their last keys may not be on the screen yet.
  async #judgeHeld(
    { pane, server }: Tracker,
    { protocols }: Ways,
  ): Promise<Pick<Judged, 'view' | 'decision'>> {
    const ownClients = server.ownClientPids;
    const judge = async (): Promise<Pick<Judged, 'view' | 'decision'>> => {
      const view = await pane.view();
      const now = Number.MAX_SAFE_INTEGER;
      return { view, decision: decide({ view, memory: memoryOf(this.session), now, ownClients }) };
    };
    const judged = await judge();
    // tmux tells whole seconds.
    const keyAt = (activityOf(judged.view, ownClients) + 1) * 1000;
    const isRead = judged.decision.kind !== 'empty' && protocols[0] === 'editor';
    if (isRead || keyAt + ECHO_MS < this.deps.clock()) return judged;
    await pane.waitForGap(ECHO_MS, ECHO_MS);
    return judge();
  }

  // A box that was never seen to let go of a text could be a dialog: where the agent itself can tell, it is asked.
  #wantsProof({ protocols }: Ways): boolean {
    return !this.session.composer.proven && protocols.includes('editor');
  }

  // Tries the protocols in turn until one takes the box.
  async #past(
    message: MessageRow,
    envelope: Envelope,
    tracker: Tracker,
    ways: Ways,
    view: PaneView,
    letGo: () => Promise<number | undefined>,
  ): Promise<Next> {
    let row = message;
    let refusal: Hold = { reason: 'draft', detail: 'nothing can take the draft out of its box' };
    for (const name of ways.protocols) {
      row = await this.#begin(row, name, tracker, { ...this.session.composer, tried: true });
      const tools = await this.tools(row, envelope, tracker, ways, name);
      const protocol = makeProtocol(name, tools, this.aids(view));
      const enterGapMs = Math.max(ways.profile.editor?.enterGapMs ?? 0, this.session.composer.enterGapMs);
      const outcome = await swap(protocol, tools, {
        enterGapMs,
        typed: async (evidence) => void (await this.#recordTyped(row, evidence)),
      });
      if (outcome.kind !== 'refused') return this.#afterSwap(row, outcome, tracker, view, letGo);
      await this.deps.ledger.record(this.fresh(row), { kind: 'refused', reason: outcome.reason });
      await this.drafts.untouched(row);
      row = this.fresh(row);
      refusal = { reason: heldReason(outcome.reason), detail: outcome.detail };
      // Only what one protocol cannot read is worth trying with another: where the box has no focus, none has.
      if (outcome.reason !== 'draft_unreadable') break;
    }
    const retryMs = PASSING.has(refusal.reason) ? LOOK_INTERVAL_MS : REFUSED_RETRY_MS;
    return this.hold(row, { ...refusal, retryAt: this.deps.clock() + retryMs });
  }

  async #afterSwap(
    row: MessageRow,
    outcome: Exclude<SwapOutcome, { kind: 'refused' }>,
    tracker: Tracker,
    view: PaneView,
    letGo: () => Promise<number | undefined>,
  ): Promise<Next> {
    const { clock } = this.deps;
    if (outcome.kind !== 'submitted') {
      await letGo();
      const detail = outcome.kind === 'stuck' ? outcome.detail : outcome.reason;
      return this.hold(this.fresh(row), {
        reason: 'box_not_read',
        detail,
        retryAt: clock() + REFUSED_RETRY_MS,
      });
    }
    const draft = outcome.draft && (await this.drafts.settle(row, outcome.restored));
    const heldMs = await letGo();
    if (draft && heldMs !== undefined) await this.drafts.held(draft, heldMs);
    const { composer } = this.session;
    const next: ComposerMemory = {
      ...composer,
      startedAt: null,
      enterGapMs: Math.max(composer.enterGapMs, outcome.enterGapMs),
    };
    if (outcome.emptyLook && !composer.proven) Object.assign(next, { look: outcome.emptyLook, proven: true });
    if (outcome.draft === null) next.activityAt = baseline(view, tracker.server.ownClientPids, clock());
    await this.submitted(row, { evidence: outcome.evidence, heldMs, draft: draft?.id }, next);
    if (draft) await this.drafts.tell(tracker, row, draft);
    return 'next';
  }

  async submitted(
    row: MessageRow,
    facts: { evidence: string; heldMs?: number | undefined; draft?: string | undefined },
    composer: ComposerMemory,
  ): Promise<void> {
    const { ledger, registry } = this.deps;
    await ledger.record(this.fresh(row), { kind: 'submitted', ...facts }, [
      registry.composerStep(this.session, composer),
    ]);
  }

  async #begin(
    row: MessageRow,
    way: ProtocolName,
    tracker: Tracker,
    composer: ComposerMemory,
  ): Promise<MessageRow> {
    const { ledger, registry, lease } = this.deps;
    const { session } = this;
    await this.journal(tracker);
    return ledger.record(
      row,
      { kind: 'attempt', n: row.attempts + 1, epoch: session.row.epoch, lease, way },
      [registry.composerStep(session, composer)],
    );
  }

  // Into a box that is empty. With the keys held nobody can come in between.
  async #direct(
    message: MessageRow,
    envelope: Envelope,
    tracker: Tracker,
    view: PaneView,
    letGo: (() => Promise<number | undefined>) | undefined,
  ): Promise<Next> {
    // As it is now: whoever puts a draft back meanwhile changes what is remembered, not what this attempt saw.
    const composer = relearn(this.session.composer, view, tracker, this.deps.clock());
    const begun = await this.#begin(message, 'direct', tracker, composer);
    const input = this.input(tracker, letGo ? 'held' : 'free');
    const ref = await this.journal(tracker);
    const attempt = new Attempt(await this.context(begun, input, envelope, tracker, composer), ref.value);
    const giveUp = letGo && this.#freeLater(input, letGo);
    const outcome = await attempt.begin(view).finally(() => clearTimeout(giveUp));
    return this.finish(begun, attempt, outcome, letGo);
  }

  // A program that does not show our text keeps nobody's keys: they come behind it, and Enter is not pressed then.
  #freeLater(input: DirectInput, letGo: () => Promise<number | undefined>): NodeJS.Timeout {
    return setTimeout(() => {
      input.personsKeys = 'free';
      void letGo();
    }, this.deps.config.holdMaxMs);
  }

  async finish(
    message: MessageRow,
    attempt: Attempt,
    outcome: AttemptOutcome,
    letGo: (() => Promise<number | undefined>) | undefined,
  ): Promise<Next> {
    const { ledger, clock } = this.deps;
    const { session } = this;
    const { tracker } = session;
    if (this.#journal) this.#journal.ref.value = attempt.journal;
    const current = this.fresh(message);
    if (current.state !== 'attempting') return 'next';
    switch (outcome.kind) {
      case 'submitted': {
        const own = tracker?.server.ownClientPids ?? new Set<number>();
        const composer: ComposerMemory = {
          ...session.composer,
          startedAt: null,
          activityAt: baseline(outcome.view, own, clock()),
          proven: outcome.evidence !== 'text_left_box',
          enterGapMs: outcome.enterGapMs,
        };
        const heldMs = await letGo?.();
        await this.submitted(current, { evidence: outcome.evidence, heldMs }, composer);
        return 'next';
      }
      case 'refused': {
        await ledger.record(current, { kind: 'refused', reason: outcome.reason });
        if (outcome.reason === 'mark_changed') this.#journal = undefined;
        return this.hold(this.fresh(current), {
          reason: 'screen_changes',
          detail: `the pane changed at that moment (${outcome.reason})`,
          retryAt: clock() + LOOK_INTERVAL_MS,
        });
      }
      case 'lost':
        return session.row.state === 'live' ? { retryAt: clock() + LOOK_INTERVAL_MS } : 'next';
    }
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

  input(tracker: Tracker, personsKeys: 'free' | 'held'): DirectInput {
    return new DirectInput(tracker.pane, journalName(tracker.paneId), personsKeys);
  }

  // Our record in tmux of the last key; taken over from whoever had it before.
  async journal(tracker: Tracker): Promise<JournalRef> {
    if (this.#journal?.pane !== tracker.paneId) {
      const value = claimValue(this.deps.lease);
      await this.input(tracker, 'held').claim(value);
      this.#journal = { pane: tracker.paneId, ref: { value } };
    }
    return this.#journal.ref;
  }

  async takeOver(tracker: Tracker, value: string): Promise<JournalRef> {
    await this.input(tracker, 'held').claim(value);
    this.#journal = { pane: tracker.paneId, ref: { value } };
    return this.#journal.ref;
  }

  ownEntry(): string | undefined {
    return this.#journal?.ref.value;
  }

  async tools(row: MessageRow, envelope: Envelope, tracker: Tracker, ways: Ways, way: ProtocolName) {
    return swapTools({
      tracker,
      profile: ways.profile,
      envelope,
      look: this.session.composer.look,
      journal: await this.journal(tracker),
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

  async #recordTyped(row: MessageRow, evidence: string, cursorTells?: boolean): Promise<void> {
    const current = this.fresh(row);
    const { composer } = this.session;
    const learned = cursorTells !== undefined && composer.cursorTells !== cursorTells;
    const also = learned ? [this.deps.registry.composerStep(this.session, { ...composer, cursorTells })] : [];
    if (current.receipt !== 'typed')
      await this.deps.ledger.record(current, { kind: 'typed', evidence }, also);
  }

  async context(
    message: MessageRow,
    input: DirectInput,
    envelope: Envelope,
    tracker: Tracker,
    composer = this.session.composer,
  ): Promise<AttemptContext> {
    const { lease, clock } = this.deps;
    const { profile } = await this.ways();
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
      isSameProgram: async () => (await tracker.assess()).kind === 'same',
      signal: this.signal(),
      clock,
      typed: (evidence, cursorTells) => this.#recordTyped(message, evidence, cursorTells),
      held: async (reason, detail) => void (await this.hold(this.fresh(message), { reason, detail })),
    };
  }
}

const heldReason = (reason: Refusal): HeldReason => (reason === 'gone' ? 'session_ended' : reason);

// Over by the next look.
const PASSING: ReadonlySet<string> = new Set(['user_typing', 'text_not_found', 'sentinel_not_found']);

// What stood in the way may still stand there: looked at again after output, or after this long.
export const REFUSED_RETRY_MS = 2000;

const NO_CURSOR: Hold = {
  reason: 'not_at_prompt',
  detail: 'the program shows no cursor in an input box: a dialog or a menu is open',
  retryAt: undefined,
};
