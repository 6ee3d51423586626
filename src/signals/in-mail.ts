// Whether a marker stands in mail that was delivered: an agent shows what it was sent.
import { contextOf, MARKER_START, type Marker, markerKey, parseMarker } from './marker.js';
import { isSameContext, type Sight } from './occurrences.js';

// With fewer words before it nobody can tell whose it is.
const LEAST_CONTEXT = 8;

export interface Letter {
  id: string;
  text: string;
}

export function isInMail(letters: readonly Letter[], { marker, context }: Sight): boolean {
  if (context.length < LEAST_CONTEXT) return false;
  const key = markerKey(marker);
  return letters.some((letter) =>
    markersOf(letter).some((one) => markerKey(one.marker) === key && isSameContext(one.context, context)),
  );
}

// The end of its header stands before its text.
function markersOf({ id, text }: Letter): { marker: Marker; context: string }[] {
  if (!text.includes(MARKER_START)) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const marker = parseMarker(line);
    return marker
      ? [{ marker, context: contextOf(`via sm send #${id} ${lines.slice(0, i).join('\n')}`) }]
      : [];
  });
}
