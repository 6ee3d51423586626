// The test plan of direct paste, point by point, on the real Claude Code with a stand-in model. (9 needs lost hooks: plans.test.ts.)
import { expect } from 'vitest';
import type { Session } from '../src/api/types.js';
import { startBeside } from './support/beside.js';
import {
  endOf,
  idleDelivery,
  kinds,
  midTurnDelivery,
  noticesTo,
  rapidBurst,
  reached,
  WATCH_MS,
} from './support/plan-points.js';
import { type RealAgent, sleep, testsOf } from './support/real-agent.js';

const test = testsOf('claude');
// The design that the plan is of had a bound of eight seconds.
const LONG_MS = 8500;

midTurnDelivery(test);
idleDelivery(test);

test('3, prompt with typing: deferred, and it arrives once the person has submitted theirs', async (claude) => {
  await claude.whenStatus('idle');
  await claude.stage.typist.type('half a thought');
  const id = await claude.send('behind it', { from: undefined, past_draft: 'never' });
  await claude.whenHeld(id, 'draft');
  await sleep(WATCH_MS);
  expect([claude.times('behind it'), (await claude.message(id)).state]).toEqual([0, 'pending']);
  await claude.stage.typist.enter();
  await reached(claude, id, 'done');
  expect(claude.lastLines(2)).toEqual(['half a thought', 'behind it']);
  expect([claude.times('half a thought'), claude.times('behind it')]).toEqual([1, 1]);
});

rapidBurst(test);

let sender: Session;

// Whoever wants to hear of the end of a turn, an agent of its own; and what it must be told of task Y, once.
async function listener(claude: RealAgent): Promise<Session> {
  sender ??= await startBeside(claude, { kind: 'claude', name: 'sender' });
  return sender;
}

const taskOf = (claude: RealAgent, hold: string): Promise<string> =>
  claude.send(`[[hold ${hold}]] task Y`, { from: { session: sender.id }, notify_on_stop: true });

async function toldOnce(claude: RealAgent, hold: string): Promise<void> {
  const told = async () => (await noticesTo(claude, sender.id)).filter(({ text }) => text.includes(hold));
  expect(await told()).toEqual([]);
  claude.release(hold);
  await claude.eventually(async () => (await told()).length > 0, 'its sender is told', told);
  const [notice] = await told();
  const { name, id } = claude.own;
  expect(notice?.text).toMatch(
    `[sm] ${name} (${id}) has finished the turn that took your message\nOriginal: "[[hold ${hold}]] task Y..."\nAnswer:\n`,
  );
  await reached(claude, notice?.id ?? '', 'done');
  expect(await told()).toHaveLength(1);
}

test('5, stop-notify mid-turn: at the end of its own turn, not of the one that ran', async (claude) => {
  await listener(claude);
  await claude.keepBusy('five-x');
  const id = await taskOf(claude, 'five-y');
  await claude.whenHeld(id, 'agent_busy');
  claude.release('five-x');
  await reached(claude, id, 'received');
  expect(endOf(claude, 'five-x')).toBe('answered');
  await sleep(WATCH_MS);
  await toldOnce(claude, 'five-y');
  expect(await kinds(claude, id)).toContain('done');
});

test('6, stop-notify idle: at the end of the turn that took it', async (claude) => {
  await listener(claude);
  await claude.whenStatus('idle');
  const id = await taskOf(claude, 'six');
  await reached(claude, id, 'received');
  await toldOnce(claude, 'six');
  expect(await kinds(claude, id)).toContain('done');
});

test('7, stop-notify with a long task before it: no time bound makes it come early', async (claude) => {
  await listener(claude);
  await claude.keepBusy('seven-x');
  const id = await taskOf(claude, 'seven-y');
  await sleep(LONG_MS);
  claude.release('seven-x');
  await reached(claude, id, 'received');
  expect(endOf(claude, 'seven-x')).toBe('answered');
  await toldOnce(claude, 'seven-y');
});

test('8, sm wait: after the turn of what was sent meanwhile, not in the moment between two turns', async (claude) => {
  const { place } = claude.stage;
  await claude.keepBusy('eight-x');
  let over = 0;
  const waits = [
    claude.client.waitForSession(claude.own.id, { timeout: 50 }).then(({ outcome }) => outcome),
    place.sm(['wait', claude.own.name, '--for', 'idle', '--timeout', '50s']).then(() => 'reached'),
  ].map((waiting) => waiting.finally(() => over++));
  const id = await claude.send('[[hold eight-y]] task Y');
  await claude.whenHeld(id, 'agent_busy');
  claude.release('eight-x');
  await reached(claude, id, 'received');
  await sleep(WATCH_MS);
  expect([endOf(claude, 'eight-x'), over]).toEqual(['answered', 0]);
  claude.release('eight-y');
  expect(await Promise.race(waits)).toBe('reached');
  expect((await claude.message(id)).receipt).toBe('done');
  expect(await Promise.all(waits)).toEqual(['reached', 'reached']);
});

test('10, urgent: the turn that runs is interrupted', async (claude) => {
  await claude.keepBusy('ten');
  const id = await claude.send('stop', { mode: 'urgent' });
  await reached(claude, id, 'done');
  expect((await kinds(claude, id)).filter((kind) => kind === 'interrupted')).toHaveLength(1);
  expect([endOf(claude, 'ten'), claude.times('stop')]).toEqual(['aborted', 1]);
});
