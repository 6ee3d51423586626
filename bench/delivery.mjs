// A message accepted until it is submitted in an idle agent, against a script: send-keys -l, a nap of 300 ms, send-keys Enter.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { AgentLog } from './lib/agent-log.mjs';
import { BOX, Place } from './lib/place.mjs';
import { median } from './lib/stats.mjs';
import { number } from './lib/table.mjs';
import { sleep } from './lib/wait.mjs';

export const name = 'delivery';
export const title = 'message accepted until submitted in an idle agent; baseline: send-keys, nap, Enter';
export const budget = { ratio: 1 / 5 };

const ROUNDS = 40;
// The first delivery to a program also learns how its input box looks.
const WARM_UP = 2;
const NAP_MS = 300;
const TEXT = 'please run the tests and tell me what fails';

export const run = () =>
  Place.use(async (place) => {
    const scripted = new AgentLog(path.join(place.folder, 'scripted.log'));
    const mailed = new AgentLog(path.join(place.folder, 'mailed.log'));
    const { pane } = place.pane([`FAKE_LOG=${scripted.file}`, process.execPath, BOX]);
    const { client } = await place.daemon();
    const { id: to } = await client.start({
      command: [process.execPath, BOX],
      name: 'agent',
      socket: place.tmuxSocket,
      env: { FAKE_LOG: mailed.file },
    });
    await Promise.all([scripted.ready(), mailed.ready()]);
    const script = tmuxScript(place, pane);
    const samples = [];
    const baseline = [];
    for (let i = 0; i < WARM_UP + ROUNDS; i++) {
      const sample = await deliver(client, to, mailed);
      const start = Date.now();
      const text = `[Input from: script] #${i} ${TEXT}`;
      await script(text);
      const took = (await scripted.submitted(text)).t - start;
      if (i < WARM_UP) continue;
      samples.push(sample);
      baseline.push(took);
    }
    const slowest = samples.reduce((a, b) => (b.total > a.total ? b : a));
    const middle = (pick) => number(median(samples.map(pick)));
    const note =
      `queued +${middle((s) => s.attempt)} attempt +${middle((s) => s.typed)} typed ` +
      `+${middle((s) => s.submitted)} submitted (ms); ` +
      `in the agent's own log ${middle((s) => s.logged)} ms after it was queued; the slowest: ${slowest.story}`;
    return { ours: samples.map((s) => s.total), baseline, unit: 'ms', note };
  });

// The message's own events tell the times; the agent's log tells whether they are true.
async function deliver(client, to, log) {
  const { messages } = await client.send({ to: [to], text: TEXT });
  const { id } = messages[0];
  await client.wait(id, { for: 'submitted', timeout: 20 });
  const { events, receipt } = await client.message(id);
  if (receipt !== 'submitted') throw new Error(`message ${id} is ${receipt}: ${JSON.stringify(events)}`);
  const at = (kind) => Date.parse(events.findLast((event) => event.kind === kind)?.at);
  const logged = (await log.submitted(`#${id}`)).t - at('queued');
  const total = at('submitted') - at('queued');
  if (logged > total) throw new Error(`${id} counts as submitted ${logged - total} ms before it was`);
  return {
    total,
    story: events.map(({ kind, at: time }) => `${kind} ${Date.parse(time) - at('queued')}`).join(', '),
    logged,
    attempt: at('attempt') - at('queued'),
    typed: at('typed') - at('attempt'),
    submitted: at('submitted') - at('typed'),
  };
}

function tmuxScript(place, pane) {
  const fork = promisify(execFile);
  const env = place.environment(place.folder);
  const sendKeys = (...args) =>
    fork('tmux', ['-S', place.tmuxSocket, 'send-keys', '-t', pane, ...args], { env });
  return async (text) => {
    await sendKeys('-l', '--', text);
    await sleep(NAP_MS);
    await sendKeys('Enter');
  };
}
