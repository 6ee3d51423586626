// The test plan of direct paste, points 1 to 4, on the real Codex with a stand-in model.
import { expect } from 'vitest';
import { Person } from '../src/cli/demo/person.js';
import { startBeside } from './support/beside.js';
import { idleDelivery, midTurnDelivery, rapidBurst, reached, WATCH_MS } from './support/plan-points.js';
import { sleep, testsOf } from './support/real-agent.js';

const test = testsOf('codex');

midTurnDelivery(test);
idleDelivery(test);

test('3, prompt with typing: its door leaves the draft alone, and the message comes at once', async (codex) => {
  await codex.stage.typist.type('half a thought');
  await reached(codex, await codex.send('beside it', { from: undefined, past_draft: 'never' }), 'done');
  expect(codex.times('beside it')).toBe(1);
  await codex.stage.rest();
  expect(await codex.stage.takeDraft()).toBe('half a thought');
});

test('3, prompt with typing, without a door: deferred, and it arrives once the person has submitted theirs', async (codex) => {
  const { place } = codex.stage;
  // An option that gives it a server of its own.
  const options = ['-c', 'model_verbosity="low"'];
  const session = await startBeside(codex, { kind: 'codex', name: 'doorless', options, door: 'shut' });
  const person = await Person.attach(['-S', place.tmuxSocket], session.tmux_session, {
    width: 120,
    height: 41,
  });
  try {
    await person.type('half a thought');
    const id = await codex.send('behind it', { to: [session.id], from: undefined, past_draft: 'never' });
    await codex.whenHeld(id, 'draft');
    await sleep(WATCH_MS);
    expect([codex.times('behind it'), (await codex.message(id)).state]).toEqual([0, 'pending']);
    person.send('\r');
    await codex.whenState(id, 'settled');
    await codex.eventually(() => codex.times('behind it') === 1, 'it arrives');
    expect(codex.lastLines(2)).toEqual(['half a thought', 'behind it']);
    expect(codex.times('half a thought')).toBe(1);
  } finally {
    await person.leave();
  }
});

rapidBurst(test);
