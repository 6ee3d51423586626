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

// Mail that an agent took as one prompt counts as its parts.
export const parts = (submitted) =>
  submitted.flatMap((text) => text.split(/(?=\[Input from: [^\n]* via sm send\] #)/));

// What a door's receipts claim, held against the requests that the model had. `lives`: the events of each message. A turn that
// the door knows by name and that was not interrupted has an answer; and none is done before the model wrote its last words.
export function accountReceipts(sent, lives, requests) {
  const wrong = [];
  const places = new Map();
  for (const { id, mark } of sent) {
    const first = requests.findIndex(({ users }) => users.some((text) => text.includes(mark)));
    if (first >= 0) places.set(id, [first, requests[first].users.join('\n').indexOf(mark)]);
    const events = lives.get(id) ?? [];
    const last = (kind) => events.findLast((event) => event.kind === kind);
    const find = (kind) => last(kind)?.data;
    const fault = (text) => wrong.push({ id, fault: text, events });
    if (find('attempt')?.way !== 'door') fault('not through the door');
    if (!find('received')?.evidence !== first < 0) fault('received, by whom?');
    if (!find('done')) fault('its turn has not ended');
    const answered = /\b(?:ok|tool done) (\d+)/.exec(find('done')?.answer ?? '')?.[1];
    const request = answered ? requests[answered - 1] : requests[first];
    if (answered && !request?.users.some((text) => text.includes(mark))) fault('the answer of another turn');
    if (find('done')?.how !== 'completed') continue;
    if (!answered && find('received')?.turn) fault('done without its answer');
    if (!(Date.parse(last('done').at) >= request?.endAt)) fault('done before its answer');
  }
  const arrived = sent.flatMap(({ id }) => (places.has(id) ? [places.get(id)] : []));
  const isBefore = (a, b) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
  const outOfOrder = arrived.filter((place, i) => i > 0 && !isBefore(arrived[i - 1], place)).length;
  return { receiptsWrong: wrong.length, outOfOrder, receipts: wrong };
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
