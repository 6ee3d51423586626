// What is typed at one go, in portions that the daemon takes: none is larger, and no character is cut in two. Pure.
export const MOST_AT_ONCE = 64 * 1024;

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

export function portionsOf(bytes: Uint8Array, most: number = MOST_AT_ONCE): Uint8Array[] {
  const portions: Uint8Array[] = [];
  let at = 0;
  while (bytes.length - at > most) {
    let end = at + most;
    while (end > at + 1 && isInside(bytes[end])) end--;
    portions.push(bytes.subarray(at, end));
    at = end;
  }
  return [...portions, bytes.subarray(at)];
}
