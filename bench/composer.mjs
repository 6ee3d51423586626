// A message into an empty box, and past a five-line draft that is saved and put back, against a raw paste and Enter, in a fake
// agent that reacts as slowly as a real one.
//
// Raw: paste-buffer -p -r, then Enter, by one control-mode connection, into an agent of the same kind with an empty box,
// until the agent itself logs the submission. Ours is counted from the message being accepted: into an empty box until the
// agent logs it, past a draft until it is logged, the draft is proved to be back and the person's keys go on.
//
// A fake takes a raw paste within 2 ms, against which no ratio means anything: so it paints and takes submissions as late as
// Claude Code was seen to do. The sentinel has its budget here, since it is for programs that no package brings; the other
// ways have theirs where they are measured in the real Claude Code (claude.mjs), and here show what changed without it.
import path from 'node:path';
import { Person } from '../dist/cli/demo/person.js';
import { Pane } from '../dist/tmux/index.js';
import { AgentLog } from './lib/agent-log.mjs';
import { BOX, Place } from './lib/place.mjs';
import { median, quantile } from './lib/stats.mjs';
import { number } from './lib/table.mjs';
import { sleep, until } from './lib/wait.mjs';

const ROUNDS = 40;
// The first deliveries to a program also learn how its input box looks.
const WARM_UP = 3;
const TEXT = 'please run the tests and tell me what fails';
const DRAFT = 'five lines\nof a draft\nthat someone\nis still\nwriting';
const LEFTS = 12;
// Claude Code on a quiet machine shows a paste after 15 ms and takes an Enter behind it after 20; from an Enter alone to the
// request at its model it takes 36 ms, and its box is seen empty 10 ms later: 60 ms for a raw paste and Enter.
const LIKE_CLAUDE = ['--paint-every', '12', '--paste-takes', '20', '--react', '36'];
// tmux tells the time of a key in whole seconds: a draft rests once that is over.
const RESTING_MS = 1500;

const EDITOR = `editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 0, enterGapMs: 0, submittedMs: 10, restoredMs: 10 }`;
const STASH = `stash: { key: C-s, taken: '› stashed' }`;
const KEYS = `lineKeys: { start: { key: C-a, moves: line }, end: { key: C-e, moves: line }, killToEnd: { key: C-k, kills: line, joins: true }, backspace: BSpace, echoMs: 30 }`;
const profile = (protocol, data) =>
  `programs: []\nprotocols: [{ protocol: direct }, { protocol: ${protocol} }]\n${data}\npace: { stepMs: 2, enterMs: 50 }\n`;

const PROFILES = {
  'agents/bench-editor.yaml': profile('editor', EDITOR),
  'agents/bench-stash.yaml': profile('stash', STASH),
  'agents/bench-sentinel.yaml': profile('sentinel', KEYS),
};

const past = (protocol, budget = null) => ({
  name: `composer, draft, ${protocol}`,
  title: `past a five-line draft with the ${protocol} until it is back; baseline: raw paste and Enter`,
  budget,
  run: () => measure({ protocol, draft: true }),
});

export const figures = [
  {
    name: 'composer, empty',
    title: 'accepted until submitted in an empty box; baseline: raw paste and Enter',
    budget: null,
    run: () => measure({ protocol: 'editor', draft: false }),
  },
  past('editor'),
  past('stash'),
  past('sentinel', { ratio: 8, tail: true }),
];

const measure = ({ protocol, draft }) =>
  Place.use(async (place) => {
    const args = [BOX, '--editor', 'C-g', '--stash', 'C-s', ...LIKE_CLAUDE];
    const rawLog = new AgentLog(path.join(place.folder, 'raw.log'));
    const log = new AgentLog(path.join(place.folder, 'mailed.log'));
    const twin = place.pane([`FAKE_LOG=${rawLog.file}`, process.execPath, ...args]);
    const { client } = await place.daemon('home', PROFILES);
    const session = await client.start({
      command: [process.execPath, ...args],
      name: 'agent',
      agent: `bench-${protocol}`,
      socket: place.tmuxSocket,
      env: { FAKE_LOG: log.file },
      width: 120,
      height: 40,
    });
    const lease = place.server.lease(twin.session);
    await Promise.all([lease.link.ready(), rawLog.ready(), log.ready()]);
    const raw = new Pane(lease.link, twin.pane);
    const policy = draft ? { past_draft: 'now' } : {};
    const results = { total: [], logged: [], raw: [], held: [] };
    let person;
    try {
      for (let i = 0; i < WARM_UP; i++) await deliver(client, session.id, log, {});
      if (draft) person = await seat(place, session, log);
      for (let i = 0; i < WARM_UP + ROUNDS; i++) {
        const ours = await deliver(client, session.id, log, policy);
        const theirs = await pasteRaw(raw, rawLog, `[Input from: script] #${i}\n${TEXT}`);
        if (i < WARM_UP) continue;
        if (draft && ours.way !== protocol) throw new Error(`it went by ${ours.way}, not by ${protocol}`);
        results.total.push(ours.total);
        results.logged.push(ours.logged);
        results.held.push(ours.held);
        results.raw.push(theirs);
      }
      if (draft) await requireDraft(log);
    } finally {
      lease.dispose();
      await person?.leave();
    }
    const held = results.held.filter((ms) => ms !== null);
    const at = (q) => number(quantile(held, q));
    const keys = held.length
      ? `; keys held p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms`
      : '; no keys were held';
    return {
      ours: draft ? results.total : results.logged,
      baseline: results.raw,
      unit: 'ms',
      note: `in the agent's log after ${number(median(results.logged))} ms, settled after ${number(median(results.total))} ms${keys}`,
    };
  });

// A person with a draft of five lines, the caret inside it, who has stopped typing.
async function seat(place, session, log) {
  const person = await Person.attach(['-S', place.tmuxSocket], session.tmux_session, {
    width: 120,
    height: 40,
    socket: path.join(place.folder, 'person'),
  });
  person.paste(DRAFT);
  person.send('\x1b[D'.repeat(LEFTS));
  await until(async () => isThere(await log.draft()), 'the draft is in the box');
  await sleep(RESTING_MS);
  return person;
}

const isThere = ({ text, caret }) => text === DRAFT && caret === DRAFT.length - LEFTS;

async function requireDraft(log) {
  const now = await log.draft();
  if (!isThere(now)) throw new Error(`the draft is not as it was: ${JSON.stringify(now)}`);
}

async function deliver(client, to, log, policy) {
  const { messages } = await client.send({ to: [to], text: TEXT, ...policy });
  const { id } = messages[0];
  await client.wait(id, { for: 'submitted', timeout: 20 });
  const { events, receipt, way, held_ms: held } = await client.message(id);
  if (receipt !== 'submitted') throw new Error(`message ${id} is ${receipt}: ${JSON.stringify(events)}`);
  const at = (kind) => Date.parse(events.findLast((event) => event.kind === kind)?.at);
  const { t } = await log.submitted(`#${id}`);
  const logged = t - at('queued');
  return { total: Math.max(logged, at('submitted') - at('queued')), logged, way, held };
}

async function pasteRaw(pane, log, text) {
  const start = Date.now();
  await pane.paste(text);
  await pane.press(['Enter']);
  return (await log.submitted(text)).t - start;
}
