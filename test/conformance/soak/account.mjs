// Pure: what became of messages, prompts and drafts, counted.

const trimmed = (text) => text.trim();

// `sent`: {mark, expected}; `submitted`: what the agent took; `prompts`: what the person submitted.
export function accountMessages(sent, submitted, prompts) {
  const count = { sent: sent.length, lost: 0, doubled: 0, altered: 0 };
  const wrong = [];
  for (const { mark, expected } of sent) {
    const carrying = submitted.filter((text) => text.includes(mark));
    if (carrying.length === 0) count.lost++;
    if (carrying.length > 1) count.doubled++;
    if (carrying.length && !carrying.every((text) => trimmed(text) === trimmed(expected))) count.altered++;
    if (carrying.length !== 1 || trimmed(carrying[0]) !== trimmed(expected))
      wrong.push({ expected, carrying });
  }
  const rest = submitted.filter((text) => !sent.some(({ mark }) => text.includes(mark))).map(trimmed);
  const missing = [];
  for (const prompt of prompts.map(trimmed)) {
    const at = rest.indexOf(prompt);
    if (at === -1) missing.push(prompt);
    else rest.splice(at, 1);
  }
  return { ...count, foreign: rest.length, promptsLost: missing.length, wrong, strangers: rest, missing };
}

// How a draft differs from what the keys make.
export function compareDraft(expected, found) {
  if (found === undefined) return 'unreadable';
  if (found === expected) return 'same';
  if ([...found].sort().join('') === [...expected].sort().join('')) return 'out of order';
  if (isPartOf(found, expected)) return 'keys lost';
  return isPartOf(expected, found) ? 'text added' : 'changed';
}

// All characters of `part` stand in `whole`, in the same order.
function isPartOf(part, whole) {
  let at = 0;
  for (const char of whole) if (char === part[at]) at++;
  return at === part.length;
}
