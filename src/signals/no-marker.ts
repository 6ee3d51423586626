// Why a line in which a marker may have been meant is none, for whoever wrote it.
import { MARKER_END, MARKER_START, parseMarker } from './marker.js';
import { STATE_WORD } from './signal.js';

const FORM = '--<[sm:state:message]>--';
const PARTS = /^([^:\]]*):([^:\]]*)/;

// `states`: those that are configured.
export function whyNoMarker(line: string, states: readonly string[]): string {
  const start = line.indexOf(MARKER_START);
  if (start < 0) return `a marker is ${FORM}`;
  const inside = line.slice(start + MARKER_START.length);
  const [, name, state] = PARTS.exec(inside) ?? [];
  if (name === undefined || state === undefined) return `a marker is ${FORM}`;
  if (name !== 'sm' && name !== 'schmux') return `"${name}" is neither sm nor schmux`;
  if (!STATE_WORD.test(state) || !states.includes(state))
    return `no such state: "${state}"; one of ${states.join(', ')}`;
  if (!inside.includes(MARKER_END)) return `it has no ${MARKER_END} at its end`;
  return parseMarker(line) ? 'it was not seen whole' : 'it is not alone on its line';
}
