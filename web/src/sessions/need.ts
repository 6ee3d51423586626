// Who needs a person, and how much: from what an agent reported, what it does, and what waits for it. Pure.
import type { FeedDraft, Session } from '../../../src/api/types.js';

export interface SignalRules {
  urgency: 'low' | 'normal' | 'high';
  attention: boolean;
}

const OURS: Readonly<Record<string, SignalRules>> = {
  working: { urgency: 'low', attention: false },
  idle: { urgency: 'low', attention: false },
  needs_input: { urgency: 'high', attention: true },
  needs_testing: { urgency: 'normal', attention: true },
  completed: { urgency: 'normal', attention: true },
  error: { urgency: 'high', attention: true },
};

// With those of the configuration, whose word counts.
export function rulesFrom(configured: unknown): Record<string, SignalRules> {
  const rules: Record<string, SignalRules> = { ...OURS };
  if (typeof configured !== 'object' || configured === null) return rules;
  for (const [state, given] of Object.entries(configured)) {
    const { urgency, attention } = given as Partial<SignalRules>;
    rules[state] = {
      urgency: urgency === 'low' || urgency === 'high' ? urgency : 'normal',
      attention: attention === true,
    };
  }
  return rules;
}

// From the most pressing on.
export const NEEDS = ['now', 'soon', 'working', 'quiet', 'over'] as const;
export type Need = (typeof NEEDS)[number];

export interface Around {
  rules: Readonly<Record<string, SignalRules>>;
  // The last signal of each session that the person has dealt with.
  seen: (session: string) => number;
  // Drafts that are not known to be back in their boxes.
  openDrafts: ReadonlySet<string>;
}

// It reported something, and has gone on since; the daemon's word for that is the one that `sm statusline` goes by.
export function isOutdated({ status, signal_at, signal_state, went_on_at }: Session): boolean {
  if (signal_at === null) return false;
  if (went_on_at !== null && went_on_at > signal_at) return true;
  const rests = status.state === 'idle' && status.since !== null && status.since > signal_at;
  return rests && signal_state === 'working';
}

export function needOf(session: Session, { rules, seen, openDrafts }: Around): Need {
  if (session.state === 'ended' || session.state === 'gone') return 'over';
  // A dialog is open: it stands still until somebody answers, whatever was seen.
  if (session.status.state === 'waiting') return 'now';
  const rule = session.signal_state === null ? undefined : rules[session.signal_state];
  const isNew = session.signal_seq > seen(session.id);
  if (rule?.attention && isNew && !isOutdated(session)) return rule.urgency === 'high' ? 'now' : 'soon';
  if (openDrafts.has(session.id)) return 'soon';
  if (session.status.state === 'busy' || session.busy_since !== null || session.state === 'starting')
    return 'working';
  if (session.signal_state === 'working' && session.status.state !== 'idle') return 'working';
  return 'quiet';
}

export const isCalling = (session: Session, around: Around): boolean => {
  const need = needOf(session, around);
  return need === 'now' || need === 'soon';
};

// A draft makes way for a moment while mail goes past it: one that is merely saved counts once that must be over.
const UNDER_WAY_MS = 15_000;

const isOpen = ({ state, updated_at }: FeedDraft, now: number): boolean =>
  state === 'differs' || (state === 'saved' && now - Date.parse(updated_at) > UNDER_WAY_MS);

export const sessionsWithOpenDrafts = (
  drafts: Readonly<Record<string, FeedDraft>>,
  now: number,
): ReadonlySet<string> =>
  new Set(Object.values(drafts).flatMap((draft) => (isOpen(draft, now) ? [draft.session.id] : [])));
