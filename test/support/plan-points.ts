// The points of the plan of direct paste that hold alike on every real agent with a door, and what its tests look at.
import { expect } from 'vitest';
import type { Message, SendRequest } from '../../src/api/types.js';
import { type RealAgent, sleep, type testsOf } from './real-agent.js';

// Long enough for what must not come to be seen.
export const WATCH_MS = 1000;
const REACHED_S = 30;

// From another agent, which comes through the door where there is one, and from a person.
const SENDERS: [string, Partial<SendRequest>][] = [
  ['an agent', {}],
  ['a person', { from: undefined }],
];
const LINES = Array.from({ length: 30 }, (_, n) => `line ${n}: "quotes" 'and' $HOME \`x\` Ä 中 ✓`);

export async function reached(agent: RealAgent, id: string, receipt: 'received' | 'done'): Promise<void> {
  const { outcome } = await agent.client.wait(id, { for: receipt, timeout: REACHED_S });
  if (outcome !== 'reached') console.log(JSON.stringify(await agent.message(id), null, 1));
  expect(outcome).toBe('reached');
}

export const kinds = async (agent: RealAgent, id: string): Promise<string[]> =>
  (await agent.message(id)).events.map(({ kind }) => kind);

// How the turn ended that a person's own prompt `[[hold NAME]]` began.
export const endOf = (agent: RealAgent, name: string): string | undefined =>
  agent.requests().find(({ newest }) => newest.at(-1) === `[[hold ${name}]]`)?.end;

// What sm itself has told a session.
export const noticesTo = async (agent: RealAgent, session: string): Promise<Message[]> =>
  (await agent.client.messages({ session })).filter(
    ({ to, from }) => to.id === session && from.name === 'sm',
  );

type Tests = ReturnType<typeof testsOf>;

export function midTurnDelivery(test: Tests): void {
  test('1, mid-turn delivery: as the next input after the turn, whole, and nothing is interrupted', async (agent) => {
    for (const [who, from] of SENDERS) {
      const hold = `mid-turn-${who.slice(-5)}`;
      const text = [`task Y of ${who}`, ...(who === 'an agent' ? LINES : [])].join('\n');
      await agent.keepBusy(hold);
      const id = await agent.send(text, from);
      await sleep(WATCH_MS);
      expect([agent.times(text), endOf(agent, hold)]).toEqual([0, undefined]);
      agent.release(hold);
      await reached(agent, id, 'done');
      expect([agent.times(text), endOf(agent, hold)]).toEqual([1, 'answered']);
      expect(agent.prompts().slice(-2)).toEqual([
        `[[hold ${hold}]]`,
        expect.stringMatching(new RegExp(`^\\[Input from: [^\\n]* via sm send\\] #${id}\\n`)),
      ]);
      expect(agent.prompts().at(-1)?.split('\n').slice(1).join('\n')).toBe(text);
    }
  });
}

export function idleDelivery(test: Tests): void {
  test('2, idle delivery: at once', async (agent) => {
    for (const [who, from] of SENDERS) {
      await agent.whenStatus('idle');
      await agent.stage.rest();
      const id = await agent.send(`hello of ${who}`, from);
      await reached(agent, id, 'done');
      // It never waited for anything.
      const [first, second, ...rest] = await kinds(agent, id);
      expect([first, second, rest.includes('held')]).toEqual(['queued', 'attempt', false]);
      expect(agent.times(`hello of ${who}`)).toBe(1);
    }
  });
}

export function rapidBurst(test: Tests): void {
  test('4, rapid burst: all arrive, in order, each once and with its own receipt', async (agent) => {
    for (const [who, from] of SENDERS) {
      const texts = [1, 2, 3].map((n) => `burst ${n} of ${who}`);
      const ids: string[] = [];
      for (const text of texts) ids.push(await agent.send(text, from));
      for (const id of ids) await reached(agent, id, 'done');
      expect(agent.lastLines(3)).toEqual(texts);
      expect(texts.map((text) => agent.times(text))).toEqual([1, 1, 1]);
    }
  });
}
