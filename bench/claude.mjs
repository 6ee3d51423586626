// The composer's cost in the real Claude Code, where it is installed, against a raw paste and Enter into the same agent.
//
// Seven Claude Codes of one kind, in turn, so that load and the length of the conversation are the same for all:
//   raw     set-buffer, paste-buffer -p -r, Enter by one control-mode connection into an empty box, until the model has it; in
//           a session started by `sm`, so that the same hooks run with it
//   bare    the same without hooks: what they cost is a figure of its own
//   empty   a message through the API into an empty box, until the model has it; nobody is attached
//   watched the same with a person attached, whose keys are held meanwhile
//   door    an agent's mail through the wake hook, with the same draft in the box, until the model has it
//   editor  past a five-line draft, in a session started by `sm`: until the model has it and the draft is back
//   stash   the same in an adopted session, which has no editor of ours and so puts the draft into the agent's stash
// Ours is counted from before the request to the API. Fakes take a raw paste within 2 ms, a real agent within 60 ms, most
// of which is its own: only against that does a ratio tell what a person or a sender notices.
import { ClaudeScene } from './lib/claude-scene.mjs';
import { quantile } from './lib/stats.mjs';
import { number } from './lib/table.mjs';

const ROUNDS = 30;
// The first deliveries learn how its input box looks.
const WARM_UP = 3;
const TEXT = 'answer with one word';
const DRAFT = ['five lines', 'of a draft', 'that someone', 'is still', 'writing'];
const LEFTS = 12;
const ARRIVED = ['submitted', 'received', 'done'];
// Starts of seven real agents, and the turns of their model in between.
const LIMIT_MS = 480_000;

const ratio = (way, title, most) => ({
  name: `claude, ${way}`,
  title: `${title}; baseline: raw paste and Enter`,
  budget: most && { ratio: most, tail: true },
  limitMs: LIMIT_MS,
  run: () =>
    result((samples, notes) => ({
      ours: samples[way].total,
      baseline: samples[baselineOf(way)].total,
      note: notes[way],
    })),
});

// Of the same kind: an adopted one has no hooks.
const baselineOf = (way) => (way === 'stash' || way === 'raw' ? 'bare' : 'raw');

const keysHeld = (way) => ({
  name: `claude, keys held, ${way}`,
  title: `Claude Code: how long keys wait while a message goes past a five-line draft with the ${way}`,
  budget: { value: 250, at: 0.95 },
  limitMs: LIMIT_MS,
  run: () => result((samples) => ({ ours: samples[way].held, baseline: [] })),
});

export const figures = [
  ratio('empty', 'Claude Code: sent until it is at the model, empty box', 1.3),
  ratio('watched', 'Claude Code: the same with a person attached', null),
  ratio('door', "Claude Code: an agent's mail through its wake hook, beside a draft", 1.3),
  ratio('editor', 'Claude Code: past a five-line draft with the editor, until it is back', 3),
  ratio('stash', 'Claude Code: past a five-line draft with the stash, until it is back', 3),
  ratio('raw', 'Claude Code: a raw paste and Enter with our hooks', null),
  keysHeld('editor'),
  keysHeld('stash'),
];

let measured;

// One run for all the figures.
async function result(pick) {
  measured ??= measureAll();
  const { skipped, samples, notes } = await measured;
  return skipped ? { skipped } : { ...pick(samples, notes), unit: 'ms' };
}

async function measureAll() {
  const { missing, scene } = await ClaudeScene.open();
  if (missing) return { skipped: missing };
  try {
    const samples = await measure(scene);
    return { samples, notes: notesOn(samples, scene.version) };
  } finally {
    await scene.close();
  }
}

async function measure(scene) {
  const { pane, tmux_session: session } = await scene.started('raw');
  const ways = [
    await raw(scene, 'raw', { pane, session }),
    await raw(scene, 'bare', await scene.bare()),
    await mailed(scene, await scene.started('empty')),
    await mailed(scene, await scene.started('watched'), { isWatched: true }),
    await mailed(scene, await scene.started('door'), { draft: 'door' }),
    await mailed(scene, await scene.started('editor'), { draft: 'editor' }),
    await mailed(scene, await scene.adopted('stash'), { draft: 'stash' }),
  ];
  const samples = {};
  for (const { name } of ways) samples[name] = { total: [], model: [], held: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // Nobody always follows the same one.
    for (const way of rotated(ways, round)) {
      const { total, model, held } = await way.send(round);
      await scene.rest(way.pane);
      if (round < WARM_UP) continue;
      samples[way.name].total.push(total);
      samples[way.name].model.push(model);
      if (held !== undefined) samples[way.name].held.push(held);
    }
  }
  for (const { check } of ways) await check?.();
  return samples;
}

const rotated = (list, by) => list.map((_, i) => list[(i + by) % list.length]);

async function raw(scene, name, target) {
  const pane = await scene.link(target);
  const send = async (round) => {
    const mark = `#${name}${round}`;
    const start = Date.now();
    await pane.paste(`[Input from: user via sm send] ${mark}\n${TEXT}`);
    await pane.press(['Enter']);
    const model = (await scene.arrival(mark)) - start;
    return { total: model, model };
  };
  return { name, pane: target.pane, send };
}

// With a draft: one delivery into the empty box first, which teaches how that looks, then a person leaves the draft there.
async function mailed(scene, session, { draft, isWatched = false } = {}) {
  const send = async (policy) => {
    const start = Date.now();
    const { messages } = await scene.client.send({ to: [session.id], text: TEXT, ...policy });
    const { id } = messages[0];
    await scene.client.wait(id, { for: 'submitted', timeout: 30 });
    const message = await scene.attempted(id);
    const { events, receipt, way, held_ms: held } = message;
    if (!ARRIVED.includes(receipt)) throw new Error(`message ${id} is ${receipt}: ${JSON.stringify(events)}`);
    const model = (await scene.arrival(`#${id}`)) - start;
    if (!draft || !policy) return { total: model, model, held: held ?? undefined };
    if (draft === 'door' && way === 'door') return { total: model, model };
    if (way !== draft || !message.draft)
      throw new Error(`it went by ${way}, not by ${draft}: ${JSON.stringify(message)}`);
    // Recorded once the draft is proved to be back and the keys go on.
    const { at } = events.findLast(({ kind }) => kind === 'submitted' || kind === 'accepted');
    const back = Date.parse(at) - start;
    return { total: Math.max(model, back), model, held };
  };
  const { name, pane } = session;
  await send();
  await scene.rest(pane);
  if (isWatched) await scene.seat(session);
  if (!draft) return { name, pane, send: () => send() };
  await scene.seat(session, DRAFT, LEFTS);
  const shown = boxOf(scene, pane);
  const check = () => {
    const now = boxOf(scene, pane);
    if (now !== shown) throw new Error(`the draft is not as it was:\n${now}`);
  };
  // What an agent says goes through the door, what a person says past the draft.
  const from = draft === 'door' ? { from: { session: session.id } } : {};
  return { name, pane, check, send: () => send({ past_draft: 'now', ...from }) };
}

// The draft as the screen shows it, and where the caret stands in its row.
function boxOf(scene, pane) {
  const rows = scene.screen(pane).split('\n');
  const first = rows.findLastIndex((row) => row.includes(DRAFT[0]));
  const caret = scene.place.tmux('display-message', '-p', '-t', pane, '#{cursor_x}');
  return `${rows
    .slice(first, first + DRAFT.length)
    .map((row) => row.trim())
    .join('\n')}\ncaret ${caret}`;
}

function notesOn({ raw, watched, door, editor, stash }, version) {
  const p = (list, q) => number(quantile(list, q));
  const ends = (list) => `p50 ${p(list, 0.5)}, p99 ${p(list, 0.99)} ms`;
  const held = ({ held: list }) =>
    `keys held p50 ${p(list, 0.5)}, p95 ${p(list, 0.95)}, max ${p(list, 1)} ms`;
  const past = (way) => `at the model ${ends(way.model)}; ${held(way)}`;
  return {
    empty: `Claude Code ${version}, ${ROUNDS} rounds in turn with raw (${ends(raw.total)})`,
    watched: held(watched),
    door: `at the model ${ends(door.model)}`,
    editor: past(editor),
    stash: past(stash),
  };
}
