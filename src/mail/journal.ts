// The journal value that goes into tmux together with each key: whose daemon, which message, which attempt, how far.
import type { SwapStep } from '../composer/index.js';

export type JournalStep = SwapStep;

// Every step by its name, so that one that is added cannot be forgotten here.
const STEPS: Record<JournalStep, true> = {
  reading: true,
  typed: true,
  entered: true,
  restoring: true,
  restored: true,
  undoing: true,
};

export interface JournalEntry {
  lease: string;
  message: string;
  attempt: number;
  step: JournalStep;
}

// Whether Enter was pressed by then.
export const isAfterEnter = (step: JournalStep): boolean =>
  step === 'entered' || step === 'restoring' || step === 'restored';

export const journalName = (pane: string): string => `SM_AT_${pane.replace(/\D/g, '')}`;

export const formatEntry = ({ lease, message, attempt, step }: JournalEntry): string =>
  [lease, message, attempt, step].join('.');

export const claimValue = (lease: string): string => `${lease}.claimed`;

export function parseEntry(value: string): JournalEntry | undefined {
  const [lease = '', message = '', attempt = '', step = ''] = value.split('.');
  if (!Object.hasOwn(STEPS, step)) return undefined;
  return { lease, message, attempt: Number(attempt), step: step as JournalStep };
}
