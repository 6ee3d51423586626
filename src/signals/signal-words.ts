// A signal in words and variables, for whoever is told of it. Pure.
import type { Signal } from './signal.js';

// How a signal stands in what programs of the user get.
export type Present = (signal: Signal) => unknown;

export const PLACEHOLDERS = ['name', 'session', 'state', 'message', 'seq'] as const;
const PLACEHOLDER = /\{([a-z_]+)\}/g;

// Those in a text that mean nothing.
export const unknownPlaceholders = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([, word = '']) =>
    (PLACEHOLDERS as readonly string[]).includes(word) ? [] : [word],
  );

// In one pass: what a message holds is never taken for a placeholder.
export function mailText(template: string | null, signal: Signal, name: string): string {
  const values: Record<string, string> = {
    name,
    session: signal.session,
    state: signal.state,
    message: signal.message,
    seq: String(signal.seq),
  };
  return (template ?? defaultText(signal)).replace(
    PLACEHOLDER,
    (whole, word: string) => values[word] ?? whole,
  );
}

const defaultText = ({ message, door }: Signal): string => {
  const how = door === 'inferred' ? 'seems to be in the state' : 'reports';
  const said = message === '' ? '' : ': {message}';
  return `{name} (session {session}) ${how} {state}${said}\nTo write to it: sm send {name} "…"`;
};

// What a command finds in its environment.
export const signalVariables = (signal: Signal, name: string): Record<string, string> => ({
  SM_SIGNAL_SESSION: signal.session,
  SM_SIGNAL_NAME: name,
  SM_SIGNAL_SEQ: String(signal.seq),
  SM_SIGNAL_STATE: signal.state,
  SM_SIGNAL_MESSAGE: signal.message,
  SM_SIGNAL_ID: signal.id ?? '',
  SM_SIGNAL_DOOR: signal.door,
  SM_SIGNAL_AT: new Date(signal.at).toISOString(),
  SM_SIGNAL_CONFIDENCE: signal.confidence === null ? '' : String(signal.confidence),
});
