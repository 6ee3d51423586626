// The printable marker with which an agent reports: --<[sm:state:message]>--, alone on its line; the message may be left out.

export interface Marker {
  state: string;
  message: string;
  // Given by the agent, at the end of the message: --<[sm:state:message#id]>--
  id: string | null;
}

// Ornaments may stand before it (bullets, prompts, borders); behind it nothing but blanks and borders.
const MARKER =
  /^[^\p{L}\p{N}]*?--<\[(sm|schmux):([a-z][a-z0-9_-]{0,31})(?::((?:(?!\]>--).)*))?\]>--[\s\u2500-\u259f|]*$/u;
// Right behind the text: "fixed #12" tells of an issue.
const ID = /(?<=\S)#([A-Za-z0-9_.-]{1,64})$/;

export const MARKER_START = '--<[';
export const MARKER_END = ']>--';

// Of a line as it is shown, or of rows of it put together.
export function parseMarker(line: string): Marker | undefined {
  const [, name, state, rest = ''] = MARKER.exec(line) ?? [];
  if (state === undefined) return undefined;
  const text = rest.replace(/\s+/g, ' ').trim();
  const id = name === 'sm' ? (ID.exec(text)?.[1] ?? null) : null;
  return { state, message: id === null ? text : text.slice(0, -id.length - 1).trimEnd(), id };
}

export const spelled = ({ state, message }: Marker): string => `--<[sm:${state}:${message}]>--`;

// It looks as if somebody meant a marker.
export const isNearMiss = (line: string): boolean => /schmux|\bsm:|--<\[/.test(line);

// What it says, however its lines were broken.
export const markerKey = ({ state, message, id }: Marker): string =>
  id === null ? `${state}:${message.replace(/\s+/g, '')}` : `#${id}`;

// How much of the text before a marker tells one occurrence from another.
export const CONTEXT_LENGTH = 120;

const NOT_WORDS = /[^\p{L}\p{N}]+/gu;

// Letters and digits alone: rows are broken, indented and decorated anew with every redraw.
export const wordsOf = (text: string): string => text.replace(NOT_WORDS, '');
export const contextOf = (before: string): string => wordsOf(before).slice(-CONTEXT_LENGTH);
