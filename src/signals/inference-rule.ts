// When a silent session is looked at, and what is made of the answer: by what is known of it and what happens. Pure.

export interface Watch {
  // `looking`: its screen is being read. `asking`: the classifier has it.
  phase: 'quiet' | 'looking' | 'asking';
  // When it is to be looked at; null: not before something happens.
  dueAt: number | null;
  // When it printed last, as far as was known when it was looked at.
  printedAt: number;
  // What the classifier was asked about last.
  asked: string | null;
}

export interface Rules {
  silenceMs: number;
  freshMs: number;
}

// What holds at the moment of an event. `reportedAt`: when its agent last signalled by itself.
export interface Facts {
  now: number;
  printedAt: number;
  reportedAt: number | null;
}

export type WatchEvent =
  | { kind: 'printed' }
  // Its agent has signalled by itself.
  | { kind: 'reported' }
  | { kind: 'due' }
  // What would be asked about; when the classifier may be asked again, or null for now.
  | { kind: 'seen'; subject: string; busyUntil: number | null }
  | { kind: 'answered'; isNews: boolean }
  // It made no sense: for the same screen it would not make more.
  | { kind: 'refused' }
  // It was not reached, or the screen was not: that may pass.
  | { kind: 'missed' };

export type Act = 'nothing' | 'look' | 'ask' | 'report';

// After it was not reached.
export const REST_MS = 5 * 60_000;

export const beginWatch = (now: number, { silenceMs }: Rules): Watch => ({
  phase: 'quiet',
  dueAt: now + silenceMs,
  printedAt: now,
  asked: null,
});

export function next(
  watch: Watch,
  event: WatchEvent,
  facts: Facts,
  rules: Rules,
): { watch: Watch; act: Act } {
  const { now } = facts;
  const rest = (dueAt: number | null, more: Partial<Watch> = {}) => ({
    watch: { ...watch, phase: 'quiet', dueAt, ...more } as const,
    act: 'nothing' as const,
  });
  const same = { watch, act: 'nothing' as const };
  switch (event.kind) {
    case 'printed':
    case 'reported':
      // What is under way looks for itself when it ends; what is due looks then.
      if (watch.phase !== 'quiet' || watch.dueAt !== null) return same;
      if (event.kind === 'printed' && facts.printedAt <= watch.printedAt) return same;
      return rest(quietFrom(facts, rules));
    case 'due': {
      if (watch.phase !== 'quiet') return { watch: { ...watch, dueAt: null }, act: 'nothing' };
      const from = quietFrom(facts, rules);
      if (from > now) return rest(from);
      return { watch: { ...watch, phase: 'looking', dueAt: null, printedAt: facts.printedAt }, act: 'look' };
    }
    case 'seen':
      if (watch.phase !== 'looking') return same;
      if (event.subject === watch.asked) return rest(null);
      if (event.busyUntil !== null) return rest(event.busyUntil);
      return { watch: { ...watch, phase: 'asking', asked: event.subject }, act: 'ask' };
    case 'answered': {
      if (watch.phase !== 'asking') return same;
      // It has printed or signalled meanwhile: the answer is about the past.
      if (facts.printedAt > watch.printedAt || quietFrom(facts, rules) > now)
        return rest(quietFrom(facts, rules));
      return event.isNews ? { ...rest(null), act: 'report' } : rest(null);
    }
    case 'refused':
      if (watch.phase === 'quiet') return same;
      return rest(facts.printedAt > watch.printedAt ? quietFrom(facts, rules) : null);
    case 'missed':
      if (watch.phase === 'quiet') return same;
      return rest(Math.max(now + REST_MS, quietFrom(facts, rules)), { asked: null });
  }
}

// What an agent prints so soon after a signal belongs to it.
const SETTLING_MS = 60_000;

// Whether a state is one that is not shown already: nobody is to hear twice of what still waits.
export const isNews = (
  state: string,
  shown: { state: string | null; at: number | null },
  printedAt: number,
): boolean => state !== shown.state || shown.at === null || printedAt > shown.at + SETTLING_MS;

// From then on it has been silent for long enough, and nothing that it reported is fresh.
const quietFrom = ({ printedAt, reportedAt }: Facts, { silenceMs, freshMs }: Rules): number =>
  Math.max(printedAt + silenceMs, reportedAt === null ? 0 : reportedAt + freshMs);
