// Gives a person back what was saved of theirs: into the empty input box without Enter, or into tmux's paste buffer.
import { setTimeout as delay } from 'node:timers/promises';
import { type Look, looksEmpty } from '../composer/index.js';
import type { Registry, Session, Tracker } from '../sessions/index.js';
import { type DraftQuery, type DraftRow, Drafts, type Store, updateDraft } from '../store/index.js';
import { rowText } from '../terminal/cells.js';
import { Emitter, type Guard, type PaneView, quote, TmuxError } from '../tmux/index.js';
import type { Config } from './config.js';
import { placeCaret } from './draft-caret.js';
import { MailError } from './errors.js';
import { checkGate, type Hold, personHold } from './gate.js';
import { journalName } from './journal.js';
import type { PostOffice } from './post-office.js';

export interface DraftDeskDeps {
  store: Store;
  registry: Registry;
  office: PostOffice;
  config: Config;
  clock: () => number;
}

export interface PutBack {
  draft: DraftRow;
  // The caret is seen to be where it was; otherwise it is not known, or stands where the program left it. A draft that went
  // back by itself meanwhile is `restored`, and was not put in again.
  caretBack: boolean;
}

export interface Copied {
  draft: DraftRow;
  // It is in the paste buffer of the session's tmux server, and in the clipboard of a terminal that takes it from there.
  buffer: boolean;
}

// Whoever asks may have typed the command in the same tmux session a moment ago: their own keys are waited out, which
// takes the typing pause and up to a second more, since tmux tells whole seconds.
const OWN_KEYS_MS = 2000;
// A delivery or a draft that goes back by itself is over in that time, but for the slowest agents.
const TURN_MS = 10_000;
const AT_BOX = 'mail is going in there at this moment, or a draft is going back by itself';
// A program that shows nothing of a paste for so long has not taken it.
const SHOWN_MS = 3000;
// More are not looked at when those without a session are sought.
const MOST = 1000;
// No cursor stands there.
const NOWHERE = -1;
// Would end the paste, or press a key.
const CONTROL = /[^\P{Cc}\n\t]/u;

export class DraftDesk {
  readonly drafts: Drafts;
  readonly #changed = new Emitter<DraftRow>();
  readonly onChange = this.#changed.event;

  constructor(readonly deps: DraftDeskDeps) {
    this.drafts = new Drafts(deps.store);
  }

  list(query: DraftQuery): DraftRow[] {
    return this.drafts.list(query);
  }

  // Of a session, what is not known to be back; while a delivery is under way that is not yet so.
  missing(sessionId: string): DraftRow[] {
    const underWay = this.deps.office.ledger.messages.next(sessionId);
    const theirs = underWay?.state === 'attempting' ? underWay.id : undefined;
    return this.drafts
      .openFor(sessionId)
      .filter(({ message_id }) => message_id === null || message_id !== theirs);
  }

  // Of sessions that are no more: nothing will put them back.
  orphans(): DraftRow[] {
    return this.drafts
      .list({ state: 'open', limit: MOST })
      .filter((row) => !this.deps.registry.get(row.session_id));
  }

  find(ref: string): DraftRow {
    const id = ref.replace(/^#/, '');
    const exact = this.drafts.get(id);
    if (exact) return exact;
    const found = /^[0-9a-f]{4,}$/.test(id) ? this.drafts.startingWith(id) : [];
    if (found.length === 1) return found[0] as DraftRow;
    const input = { field: 'draft', value: ref, expected: 'the id of a draft; "sm drafts --all" lists them' };
    if (found.length > 1)
      throw new MailError('ambiguous', `"${ref}" is the beginning of several draft ids`, input);
    throw new MailError('not_found', `no such draft: ${ref}`, input);
  }

  // Whatever happens, the text stays on disk. Its delivery may be putting it back at this moment: that is waited for.
  async restore(draft: DraftRow): Promise<PutBack> {
    const { registry, office } = this.deps;
    const session = registry.get(draft.session_id);
    if (!session) throw notFree(draft, `its session ${draft.session_name} is no more`);
    if (office.turns.who(session.id) === 'desk')
      throw notFree(draft, 'a draft is being put there at this moment');
    const turn = await office.turns.begin(session.id, 'desk', TURN_MS);
    if (!turn) {
      this.#requireNoDelivery(draft);
      throw notFree(draft, AT_BOX);
    }
    try {
      const now = this.drafts.get(draft.id) ?? draft;
      if (now.state === 'restored' && draft.state !== 'restored') return { draft: now, caretBack: false };
      const caretBack = await this.#putBack(now, session);
      return { draft: await this.#take(now), caretBack };
    } finally {
      turn.end();
      // What waits for the session was not begun meanwhile.
      office.wake(session.id);
    }
  }

  async #putBack(draft: DraftRow, session: Session): Promise<boolean> {
    this.#requireNoDelivery(draft);
    const tracker = session.tracker;
    if (!tracker) throw notFree(draft, session.row.state_reason ?? 'its pane is gone');
    const reason = cannotPaste(draft.text, tracker.bracketed ?? session.composer.bracketed);
    if (reason) throw notFree(draft, reason);
    const journal = journalName(tracker.paneId);
    // Read before the look: a delivery that begins in between changes it, and the paste is refused.
    const mark = await tracker.pane.format(`#{${journal}}`);
    const view = await this.#emptyBox(draft, session);
    await this.#expectDraft(session);
    const guard: Guard = {
      program: view.program,
      activity: view.sessionActivity,
      keyedAt: { seen: view.keyedAt },
      cursor: { x: view.cursor.x, y: view.cursor.y },
      visible: [rowText(view.rows[view.cursor.y] ?? []).trim()].filter(Boolean),
      mark: { name: journal, value: mark },
    };
    // Taking the journal over, a delivery that has looked already is refused in turn.
    const ours = `desk.${draft.id}`;
    const taken = `set-environment -g -h ${journal} ${ours}`;
    return hidingEmptyBox(session, async (look) => {
      const injection = await tracker.pane.paste(draft.text, guard, [taken]);
      if (injection.outcome === 'refused')
        throw notFree(draft, `the pane changed at that moment (${injection.reason})`);
      if (!(await isShown(draft.text, tracker, view, look)))
        throw notFree(draft, 'it was pasted, but the program does not show it: look at the pane');
      return placeCaret(draft, session, tracker, { ...guard, mark: { name: journal, value: ours } });
    });
  }

  async copy(draft: DraftRow): Promise<Copied> {
    const tracker = this.deps.registry.get(draft.session_id)?.tracker;
    const buffer = tracker ? await copyToBuffer(tracker, draft.text) : false;
    return { draft: await this.#take(draft), buffer };
  }

  // A delivery restores what it took by itself, and its journal in tmux must not be taken from it.
  #requireNoDelivery(draft: DraftRow): void {
    const message = this.deps.office.ledger.messages.next(draft.session_id);
    if (message?.state === 'attempting')
      throw notFree(draft, `message #${message.id} is being delivered there at this moment`);
  }

  async #emptyBox(draft: DraftRow, session: Session): Promise<PaneView> {
    const { registry, clock, config } = this.deps;
    const { typingPauseMs } = config;
    const waits = personHold(session);
    if (waits) throw notFree(draft, waits.detail);
    for (const end = clock() + typingPauseMs + OWN_KEYS_MS; ; ) {
      // Paused delivery keeps mail away, not a person's own text.
      const { swapFolder } = this.deps.office.deps;
      const gate = await checkGate(session, {
        registry,
        clock,
        swapFolder,
        typingPauseMs,
        isPaused: () => false,
      });
      if ('view' in gate) {
        const { look } = session.composer;
        if (look && !looksEmpty(gate.view, look)) throw notFree(draft, 'its input box is not empty');
        return gate.view;
      }
      if (!isPassing(gate, end)) throw notFree(draft, gate.detail);
      await delay(Math.max(1, (gate.retryAt ?? end) - clock()));
    }
  }

  // On disk before the paste: no key of a person's will show that this box holds a draft, and how it looks from now on
  // is not how it looks when it is empty.
  async #expectDraft(session: Session): Promise<void> {
    const { registry, store } = this.deps;
    const composer = { ...session.composer, activityAt: null, tried: true };
    await store.write([registry.composerStep(session, composer)]);
  }

  async #take(draft: DraftRow): Promise<DraftRow> {
    const change = { state: 'taken', updated_at: this.deps.clock() } as const;
    await this.deps.store.write([updateDraft(draft.id, change)]);
    const taken = { ...draft, ...change };
    this.#changed.fire(taken);
    return taken;
  }
}

// A program may take a while to show what was pasted. Until then its box looks empty, and must not pass for it.
async function hidingEmptyBox<T>(session: Session, act: (look: Look | null) => Promise<T>): Promise<T> {
  const { look } = session.composer;
  const hidden = look && { ...look, column: NOWHERE };
  session.composer = { ...session.composer, look: hidden };
  try {
    return await act(look);
  } finally {
    // Unless something newer is known by now: the box of another program, say.
    if (session.composer.look === hidden) session.composer = { ...session.composer, look };
  }
}

async function isShown(
  text: string,
  { pane }: Tracker,
  before: PaneView,
  look: Look | null,
): Promise<boolean> {
  if (text.trim() === '') return true;
  const differs = async (): Promise<true | undefined> => {
    const view = await pane.view();
    const moved = view.cursor.x !== before.cursor.x || view.cursor.y !== before.cursor.y;
    return moved || (look && !looksEmpty(view, look)) ? true : undefined;
  };
  return (await pane.waitUntil(differs, SHOWN_MS)).outcome === 'seen';
}

// It will be over by itself before `end`.
const isPassing = ({ reason, retryAt }: Hold, end: number): boolean =>
  (reason === 'user_typing' || reason === 'screen_changes' || reason === 'starting') &&
  retryAt !== undefined &&
  retryAt < end;

function cannotPaste(text: string, bracketed: boolean): string | undefined {
  if (CONTROL.test(text)) return 'it holds control characters, which would press keys';
  if (/[\n\t]/.test(text) && !bracketed)
    return 'it has several lines or tabs, and its program does not take pastes as one piece: they would press keys';
  return undefined;
}

// Without a name of its own it is the one that tmux pastes next. -w also hands it to the terminal of whoever is there.
async function copyToBuffer({ pane }: Tracker, text: string): Promise<boolean> {
  if (text.includes('\0') || text === '') return false;
  try {
    const { clients } = await pane.view();
    const persons = clients.filter(({ kind, readOnly }) => kind === 'terminal' && !readOnly);
    const latest = persons.sort((a, b) => b.activity - a.activity)[0];
    const target = latest ? `-w -t ${quote(latest.name)} ` : '-w ';
    await pane.link.command(`set-buffer ${target}-- ${quote(text)}`);
    return true;
  } catch (error) {
    if (error instanceof TmuxError) return false;
    throw error;
  }
}

const notFree = (draft: DraftRow, why: string): MailError =>
  new MailError(
    'not_free',
    `draft ${draft.id} was not put back into the input box of ${draft.session_name}: ${why}. Its text is still kept: ` +
      `"sm drafts copy ${draft.id}" gives it to you`,
  );
