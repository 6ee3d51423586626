// What a person writes, as the daemon understood it last: kept in the home, it serves a start at which what stands there now is
// refused. So a daemon that comes back with a draft to give back is not kept out by an edit.
import fs from 'node:fs';
import { writePrivate } from './home.js';

export interface Written<T> {
  // Where the last good one is kept.
  good: string;
  // As it is now; throws with what is wrong.
  read: () => T;
  understand: (text: string) => T;
  text: (value: T) => string;
}

// Throws what is wrong where there has never been a good one. With a problem the value is the last good one.
export function readOrLastGood<T>(written: Written<T>): { value: T; problem: string | null } {
  let value: T;
  try {
    value = written.read();
  } catch (error) {
    const last = lastGood(written);
    if (!last) throw error;
    return { value: last.value, problem: (error as Error).message };
  }
  keepGood(written.good, written.text(value));
  return { value, problem: null };
}

export function keepGood(file: string, text: string): void {
  if (readIfThere(file) !== text) writePrivate(file, text);
}

function lastGood<T>({ good, understand }: Written<T>): { value: T } | undefined {
  const text = readIfThere(good);
  try {
    return text === undefined ? undefined : { value: understand(text) };
  } catch {
    // Good for another version.
    return undefined;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
