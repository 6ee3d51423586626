// Pure: what a trial showed, as one word and a list of faults.

// Agents trim the end of a prompt, and one adds a blank to what was pasted: blanks at the end are no difference.
const same = (a, b) => a.trimEnd() === b.trimEnd();

// Agents number the pastes that they fold away, one after the other.
const unnumbered = (text) =>
  text.replace(/(\[Past[^\]\n]*\])(?: #\d+)?/gi, (_, label) => label.replace(/#\d+/, '#'));

// {outcome: 'exact' | 'waits' | 'fails', faults, reason}
export function judge({ faults, letter, submitted, own, draft, outcome, arrived }) {
  const found = [...faults, ...ofSubmissions(letter, submitted, own), ...ofDraft(draft)];
  if (arrived) {
    if (outcome.state === 'pending' || outcome.state === 'attempting') found.push('receipt missing');
    found.push(...unlike(letter.wants, outcome));
    return found.length
      ? { outcome: 'fails', faults: found, reason: null }
      : { outcome: 'exact', faults: [], reason: null };
  }
  const reason = outcome.held ?? null;
  if (!found.length && reason) return { outcome: 'waits', faults: [], reason };
  if (outcome.receipt === 'submitted') found.push('receipt untrue');
  return { outcome: 'fails', faults: found.length ? found : ['not delivered'], reason };
}

function unlike(wants, { way, receipt }) {
  if (!wants) return [];
  const faults = [];
  if ((way === 'door') !== (wants.way === 'door')) faults.push(`went by ${way}`);
  if (receipt !== wants.receipt) faults.push(`receipt ${receipt}`);
  return faults;
}

function ofSubmissions({ mark, expected }, submitted, own) {
  const faults = [];
  const carrying = submitted.filter((text) => text.includes(mark));
  if (carrying.length > 1) faults.push('message doubled');
  for (const text of carrying.slice(0, 1)) {
    if (same(text, expected)) continue;
    faults.push(text.includes(expected) ? 'message merged with other text' : 'message altered');
  }
  const prompts = own.map((text) => text.trimEnd());
  const strangers = submitted.filter((text) => !text.includes(mark) && !prompts.includes(text.trimEnd()));
  if (strangers.length) faults.push('other text submitted');
  return faults;
}

// `whole`: with every paste unfolded, as one is shown that waited and came key by key.
function ofDraft({ expected, whole, found }) {
  if (found === undefined) return ['draft not readable'];
  if (found === whole) return [];
  return unnumbered(found) === unnumbered(expected) ? [] : ['draft harmed'];
}
