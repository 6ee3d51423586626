// The journal value that goes into tmux together with each key: whose daemon, which message, which attempt, how far.

export type JournalStep = 'typed' | 'entered';

export interface JournalEntry {
  lease: string;
  message: string;
  attempt: number;
  step: JournalStep;
}

export const journalName = (pane: string): string => `SM_AT_${pane.replace(/\D/g, '')}`;

export const formatEntry = ({ lease, message, attempt, step }: JournalEntry): string =>
  [lease, message, attempt, step].join('.');

export const claimValue = (lease: string): string => `${lease}.claimed`;

export function parseEntry(value: string): JournalEntry | undefined {
  const [lease = '', message = '', attempt = '', step = ''] = value.split('.');
  if (step !== 'typed' && step !== 'entered') return undefined;
  return { lease, message, attempt: Number(attempt), step };
}
