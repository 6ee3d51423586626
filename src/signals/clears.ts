// Whether bytes clear the whole screen, after which programs paint it again: searched natively, without reading them.

// What is cut between two chunks is found when so much of the first is searched again.
export const LONGEST_CLEAR = 24;

// All of it, or a reset.
const WHOLE = ['\x1b[2J', '\x1bc'].map((text) => Buffer.from(text));
// From the cursor on, which is all of it where the cursor was just put at the top.
const BELOW = ['\x1b[J', '\x1b[0J'].map((text) => Buffer.from(text));
const HOME = /\x1b\[[01;]*[Hf]/;

export const hasClear = (bytes: Buffer): boolean =>
  WHOLE.some((clear) => bytes.includes(clear)) || BELOW.some((clear) => isAtTop(bytes, clear));

function isAtTop(bytes: Buffer, clear: Buffer): boolean {
  for (let at = bytes.indexOf(clear); at !== -1; at = bytes.indexOf(clear, at + 1))
    if (HOME.test(bytes.toString('latin1', Math.max(0, at - LONGEST_CLEAR + clear.length), at))) return true;
  return false;
}
