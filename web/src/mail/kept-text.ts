// What was written and not sent: kept by the browser, so that a reload or another page costs nobody a word.
import { useCallback, useState } from 'react';

// Under which name it is kept. A session's letter has one that the browser's memory forgets with the session.
export const letterKey = (session: string): string => `sm:letter:${session}`;
export const answerKey = (item: string): string => `sm-answer:${item}`;
export const NEW_LETTER = 'sm-letter';

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // It stays as long as the page does.
  }
}

// What remains of the field once a text has been sent: what was begun behind it meanwhile, or what took its place.
export function without(sent: string, text: string): string {
  const rest = text.startsWith(sent) ? text.slice(sent.length) : undefined;
  return rest === '' || (rest && /^\s/.test(rest)) ? rest.trimStart() : text;
}

export interface KeptText {
  text: string;
  setText: (text: string) => void;
  takeOut: (sent: string) => void;
}

export function useKeptText(key: string): KeptText {
  const [text, show] = useState(() => read(key));
  const setText = useCallback(
    (next: string): void => {
      show(next);
      write(key, next);
    },
    [key],
  );
  const takeOut = useCallback(
    (sent: string): void => {
      show((now) => without(sent, now));
      write(key, without(sent, read(key)));
    },
    [key],
  );
  return { text, setText, takeOut };
}
