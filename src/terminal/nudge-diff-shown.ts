// Where a capture shows a text of ours, whatever a box does to it: wrapped, indented, in a frame.
import type { Span } from './nudge-diff.js';

// Every place at which the capture holds the same characters in the same order, not counting blanks, line ends and frames.
export function shownPlaces(capture: Uint8Array, text: string): Span[] {
  const { bytes: wanted } = squash(Buffer.from(text));
  if (wanted.length === 0) return [];
  const { bytes, places } = squash(capture);
  const spans: Span[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    spans.push({ from: places[at] as number, to: (places[at + wanted.length - 1] as number) + 1 });
  return spans;
}

function squash(capture: Uint8Array): { bytes: Buffer; places: Int32Array } {
  const bytes = Buffer.allocUnsafe(capture.length);
  const places = new Int32Array(capture.length);
  let length = 0;
  for (let i = 0; i < capture.length; i++) {
    const byte = capture[i] as number;
    if (byte <= 0x20) continue;
    if (byte === FRAME && isFrame(capture[i + 1], capture[i + 2])) {
      i += 2;
      continue;
    }
    bytes[length] = byte;
    places[length++] = i;
  }
  return { bytes: bytes.subarray(0, length), places: places.subarray(0, length) };
}

// U+2500 to U+259F, lines and blocks, in UTF-8: E2 94 80 to E2 96 9F.
const FRAME = 0xe2;
const isFrame = (second: number | undefined, third: number | undefined): boolean =>
  second === 0x94 || second === 0x95 || (second === 0x96 && (third ?? 0xff) <= 0x9f);
