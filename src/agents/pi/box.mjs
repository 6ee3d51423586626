// Exactly our message taken out of pi's input box, where pi has put it from its queue.

// As pi's input box keeps a text.
const kept = (text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ');
const BETWEEN = '\n\n';

// What is left of the draft; undefined when the whole message is not there as pi puts it, a blank line from its neighbours.
export function takeOut(draft, message) {
  const ours = kept(message);
  const at = draft.indexOf(ours);
  if (at < 0) return undefined;
  const before = draft.slice(0, at);
  const after = draft.slice(at + ours.length);
  if (before !== '' && !before.endsWith(BETWEEN)) return undefined;
  if (after === '') return before.slice(0, -BETWEEN.length);
  return after.startsWith(BETWEEN) ? before + after.slice(BETWEEN.length) : undefined;
}
