// Keeps the drafts of one session on disk while they are out of the box, and tells the person what became of them.
import type { Draft, ProtocolName, Restored } from '../composer/index.js';
import { persons } from '../composer/index.js';
import type { Session, Tracker } from '../sessions/index.js';
import {
  type DraftRow,
  Drafts,
  insertDraft,
  type MessageRow,
  type Step,
  updateDraft,
} from '../store/index.js';
import { escapeFormat, quote } from '../tmux/index.js';
import type { Config } from './config.js';
import type { Ledger } from './ledger.js';

export interface DraftKeeperDeps {
  ledger: Ledger;
  config: Config;
  clock: () => number;
  newDraftId: () => string;
}

// tmux before 3.6 stops drawing the panes while it shows a message: long enough to read, short enough not to matter.
const TOLD_MS = 1500;

export class DraftKeeper {
  readonly table: Drafts;

  constructor(
    readonly session: Session,
    readonly deps: DraftKeeperDeps,
  ) {
    this.table = new Drafts(deps.ledger.store);
  }

  // On disk when this resolves.
  async save(message: MessageRow, protocol: ProtocolName, { text, caret, exact }: Draft): Promise<void> {
    const { ledger, clock, newDraftId } = this.deps;
    const now = clock();
    const before = this.table.byAttempt(message.id, message.attempts);
    const content = { text, caret, exact: exact ? 1 : 0, updated_at: now } as const;
    if (before) {
      await ledger.store.write([updateDraft(before.id, content)]);
      return;
    }
    const id = newDraftId();
    const row = {
      id,
      session_id: this.session.id,
      session_name: this.session.name,
      message_id: message.id,
      attempt: message.attempts,
      protocol,
      state: 'saved',
      proof: null,
      found: null,
      held_ms: null,
      created_at: now,
      ...content,
    } as const;
    const current = ledger.messages.get(message.id) ?? message;
    await ledger.record(current, { kind: 'draft', draft: id, state: 'saved' }, [insertDraft(row)]);
  }

  of(message: MessageRow): DraftRow | undefined {
    return this.table.byAttempt(message.id, message.attempts);
  }

  // The attempt came to nothing and left the box as it was: to be written together with that.
  untouched(message: MessageRow): Step[] {
    const row = this.of(message);
    if (row?.state !== 'saved') return [];
    const change = { state: 'restored', proof: 'untouched', updated_at: this.deps.clock() } as const;
    return [updateDraft(row.id, change)];
  }

  // What was seen when it was put back. A box that could not be read leaves it saved: it is tried again, or offered.
  async settle(
    message: MessageRow,
    restored: Restored,
    unread: 'try_again' | 'offer' = 'try_again',
  ): Promise<DraftRow | null> {
    const row = this.of(message);
    if (!row) return null;
    const updated_at = this.deps.clock();
    const change =
      restored.kind === 'restored'
        ? ({ state: 'restored', proof: restored.proof, updated_at } as const)
        : restored.kind === 'mismatch' && (restored.found !== null || unread === 'offer')
          ? ({ state: 'differs', found: restored.found, updated_at } as const)
          : ({ state: 'saved', updated_at } as const);
    // Nothing new: no event for every try.
    if (change.state === 'saved') return row;
    const step = updateDraft(row.id, change);
    const current = this.deps.ledger.messages.get(message.id) ?? message;
    await this.deps.ledger.record(current, { kind: 'draft', draft: row.id, state: change.state }, [step]);
    return { ...row, ...change };
  }

  async held(draft: DraftRow, heldMs: number): Promise<void> {
    const change = { held_ms: heldMs, updated_at: this.deps.clock() };
    await this.deps.ledger.store.write([updateDraft(draft.id, change)]);
  }

  // Taken from the box by an attempt that is over, and not back.
  owed(): DraftRow[] {
    return this.table.openFor(this.session.id).filter(({ state }) => state === 'saved');
  }

  // In the status line of whoever is there; a key of theirs takes it away.
  async tell(tracker: Tracker, message: MessageRow, draft: DraftRow): Promise<void> {
    if (!this.deps.config.tellPerson) return;
    const text =
      draft.state === 'restored'
        ? `sm: ${message.sender_name} wrote to ${this.session.name}; your draft is as it was`
        : `sm: your draft in ${this.session.name} could not be put back; it is kept: sm drafts restore ${draft.id}`;
    const { pane, server } = tracker;
    for (const { name } of persons(await pane.view(), server.ownClientPids))
      await pane.link
        .command(`display-message -c ${quote(name)} -d ${TOLD_MS} ${quote(escapeFormat(text))}`)
        .catch(() => {});
  }
}
