// Whether a marker stands in mail that was delivered: an agent shows what it was sent.
import { contextOf, MARKER_START, type Marker, markerKey, parseMarker, wordsOf } from './marker.js';
import { isSameContext, type Sight } from './occurrences.js';

// With fewer words before it nobody can tell whose it is.
const LEAST_CONTEXT = 8;

export interface Letter {
  id: string;
  text: string;
  // Sent as a command: without a header.
  command: 0 | 1;
}

export function isInMail(letters: readonly Letter[], { marker, context }: Sight): boolean {
  if (context.length < LEAST_CONTEXT) return false;
  const key = markerKey(marker);
  return letters.some((letter) =>
    markersOf(letter).some(
      (one) =>
        markerKey(one.marker) === key &&
        one.context.length >= LEAST_CONTEXT &&
        isSameContext(one.context, context),
    ),
  );
}

// A line of a screen that is one of theirs, or a part of it: ornaments and blanks are the agent's.
export function isLineOfMail(letters: readonly Letter[], line: string): boolean {
  const words = contextOf(line);
  return words !== '' && letters.some(({ text }) => wordsOf(text).includes(words));
}

// The end of its header stands before its text, but for a command.
function markersOf({ id, text, command }: Letter): { marker: Marker; context: string }[] {
  if (!text.includes(MARKER_START)) return [];
  const lines = text.split('\n');
  const header = command === 1 ? '' : `via sm send #${id} `;
  return lines.flatMap((line, i) => {
    const marker = parseMarker(line);
    return marker ? [{ marker, context: contextOf(`${header}${lines.slice(0, i).join('\n')}`) }] : [];
  });
}
