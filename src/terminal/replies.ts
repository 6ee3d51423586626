// What a terminal says by itself when a program asks it something. tmux has answered already: a second answer would be typed.

// Nobody can type these. A position of the cursor may be told in the very bytes of F3 with a modifier: then it is the key.
const REPLIES = [
  // Device attributes, status, modes, sizes.
  /^\x1b\[[?>=]?[\d;]*c$/,
  /^\x1b\[\??[03]n$/,
  /^\x1b\[\?[\d;]+R$/,
  /^\x1b\[(?!1;(?:[2-9]|1[0-6])R)\d+;\d+R$/,
  /^\x1b\[\??[\d;]+\$y$/,
  /^\x1b\[[\d;]+t$/,
  /^\x1b\[\?\d+u$/,
  // Colours, and whatever else is answered with a string.
  /^\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)$/,
  /^\x1bP[^\x1b]*\x1b\\$/,
];
const LONGEST = 4096;

export function isReply(data: Buffer): boolean {
  if (data[0] !== 0x1b || data.length < 3 || data.length > LONGEST) return false;
  const text = data.toString('latin1');
  return REPLIES.some((reply) => reply.test(text));
}
