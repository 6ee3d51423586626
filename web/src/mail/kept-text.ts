// What was written and not sent: kept by the browser, so that a reload or another page costs nobody a word.
import { useCallback, useState } from 'react';

// The names of sessions' letters are those that the browser's memory forgets with the session.
const keyOf = (place: string): string => (place === 'new' ? 'sm-letter' : `sm:letter:${place}`);

function read(place: string): string {
  try {
    return localStorage.getItem(keyOf(place)) ?? '';
  } catch {
    return '';
  }
}

function write(place: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), text);
  } catch {
    // It stays as long as the page does.
  }
}

// `place`: the session that it is for, or "new".
export function useKeptText(place: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(place));
  const change = useCallback(
    (next: string): void => {
      setText(next);
      write(place, next);
    },
    [place],
  );
  return [text, change];
}
