// Mail because of a signal: written with the record of it in one unit, so that it goes once; and never round in a circle.
import { MailError, type Sender, type Speaker } from '../mail/index.js';
import { type Registry, type Session, SessionError } from '../sessions/index.js';
import { insertSignalMail, type SignalUseRow, SignalUses, type Step, Unmet } from '../store/index.js';
import type { Signal } from './signal.js';
import { mailText } from './signal-words.js';
import type { UseEvent } from './use-rule.js';

export interface MailEffectDeps {
  speaker: Speaker;
  registry: Pick<Registry, 'get'>;
  // Whom a word means that a session says; throws a MailError or a SessionError where that is nobody.
  recipients: (to: string, sender: Sender) => { sessions: readonly Session[]; person: boolean };
  clock: () => number;
}

// More than this in an hour to one session because of signals is more than anybody asked for.
export const MOST_AN_HOUR = 60;
const HOUR_MS = 60 * 60_000;
// No chain of mail and signals is followed further back.
const LONGEST_CHAIN = 50;

export class MailEffect {
  readonly #uses: SignalUses;

  constructor(readonly deps: MailEffectDeps) {
    this.#uses = new SignalUses(deps.speaker.deps.ledger.store);
  }

  // `done` is written together with the mail. Undefined: so it was.
  async send(
    use: SignalUseRow,
    signal: Signal,
    { to, text }: { to: string; text: string | null },
    done: Step,
  ): Promise<UseEvent | undefined> {
    const { speaker, registry } = this.deps;
    const own = registry.get(signal.session);
    if (!own) return { kind: 'dropped', reason: 'its session was removed' };
    const word = to === 'parent' ? '@parent' : to;
    if (word === '@parent' && own.row.parent === null)
      return { kind: 'dropped', reason: `${own.name} was not started by an agent` };
    if (this.#goesRound(use, signal)) return { kind: 'dropped', reason: 'it would go round in a circle' };
    const found = this.#recipients(word, own);
    if ('kind' in found) return found;
    const words = found.hearers.map((hearer) => ({ to: hearer, text: mailText(text, signal, own.name) }));
    try {
      await speaker.say(words, (ids) => [done, ...ids.map((id) => insertSignalMail(id, use))]);
    } catch (error) {
      // It was done already.
      if (!(error instanceof Unmet)) throw error;
    }
    return undefined;
  }

  #recipients(to: string, own: Session): { hearers: (string | null)[] } | UseEvent {
    const { speaker, recipients, clock } = this.deps;
    let meant: ReturnType<MailEffectDeps['recipients']>;
    try {
      meant = recipients(to, { session: own.id, name: own.name });
    } catch (error) {
      if (error instanceof MailError || error instanceof SessionError)
        return { kind: 'failed', reason: error.message };
      throw error;
    }
    // Nobody is told what they said themselves.
    const others = meant.sessions.filter(({ id }) => id !== own.id);
    if (others.length === 0 && !meant.person)
      return { kind: 'dropped', reason: `${own.name} is not told of itself` };
    const here = others.filter(({ id }) => speaker.reaches(id));
    const spared = here.filter(({ id }) => this.#uses.mailsTo(id, clock() - HOUR_MS) < MOST_AN_HOUR);
    if (spared.length === 0 && !meant.person)
      return {
        kind: 'failed',
        reason:
          here.length > 0
            ? `${here[0]?.name} had ${MOST_AN_HOUR} in the last hour already`
            : `the pane of ${others[0]?.name} is gone`,
      };
    return { hearers: [...spared.map(({ id }) => id), ...(meant.person ? [null] : [])] };
  }

  // The signal follows from mail that follows, by however many steps, from the same action for a signal of the same session.
  #goesRound({ action }: SignalUseRow, { session, at }: Signal): boolean {
    let mail = this.#uses.lastMailTo(session, at);
    for (let n = 0; mail && n < LONGEST_CHAIN; n++) {
      if (mail.action === action && mail.session === session) return true;
      mail = this.#uses.lastMailTo(mail.session, mail.at);
    }
    return false;
  }
}
