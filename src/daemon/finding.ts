// What the doctor says of one thing: what is wrong or worth knowing, and what to do about it.
import type { Finding } from '../api/types.js';

export const problem = (about: string, message: string, advice: string | null): Finding => ({
  level: 'problem',
  about,
  message,
  advice,
});

export const note = (about: string, message: string, advice: string | null): Finding => ({
  ...problem(about, message, advice),
  level: 'note',
});

// One thing that was looked at: a line for a person, and what follows from it.
export interface Checked {
  about: string;
  detail: string;
  findings: Finding[];
}
