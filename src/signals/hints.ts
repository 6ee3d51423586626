// Whether bytes may hold a marker, or what was meant for one: searched natively, without reading them.

export const OPENING = 0x3c;
const BRACKET = 0x5b;
// Searched for from behind: their ends are rarer in text than their beginnings.
const WORDS = [Buffer.from('sm:'), Buffer.from('schmux')];

// What is cut between two chunks is found when so much of the first is searched again.
export const LONGEST_HINT = 6;

// A marker has `<[` in it, perhaps with colours between them. At the end more may come.
export function hasOpening(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(OPENING); at !== -1; at = bytes.indexOf(OPENING, at + 1)) {
    if (isOpening(bytes, at)) return true;
  }
  return false;
}

function isOpening(bytes: Buffer, at: number): boolean {
  const next = bytes[at + 1];
  return next === undefined || next === BRACKET || next < 0x20 || next >= 0x7f;
}

// Where the last hint stands, or -1.
export function lastHint(bytes: Buffer): number {
  let at = bytes.lastIndexOf(OPENING);
  while (at !== -1 && !isOpening(bytes, at)) at = at === 0 ? -1 : bytes.lastIndexOf(OPENING, at - 1);
  return Math.max(at, ...WORDS.map((word) => bytes.lastIndexOf(word)));
}

export const isMeant = (bytes: Buffer): boolean =>
  hasOpening(bytes) || WORDS.some((word) => bytes.lastIndexOf(word) !== -1);
