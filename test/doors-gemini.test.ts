// Gemini's door on the real Gemini, with the hooks that `sm hooks install gemini` puts into its settings.
import path from 'node:path';
import { afterAll, beforeAll, expect, test as it } from 'vitest';
import { geminiHooks } from '../src/agents/gemini/hooks.js';
import { INSTALL_MS, RealAgent } from './support/real-agent.js';

const { AGENTS } = await import(new URL('./conformance/agents.mjs', import.meta.url).href);

let gemini: RealAgent;
let missing: string | undefined;

beforeAll(async () => {
  const { files } = AGENTS.gemini;
  AGENTS.gemini.files = (context: { cwd: string }) => {
    const own = files(context);
    const home = path.join(path.dirname(context.cwd), 'sm');
    own['.gemini/settings.json'].hooks = geminiHooks({ home, hooks: path.join(home, 'hooks') });
    return own;
  };
  const started = await RealAgent.start('gemini');
  AGENTS.gemini.files = files;
  if (typeof started === 'string') missing = started;
  else gemini = started;
}, INSTALL_MS);
afterAll(() => gemini?.close());

const test = (name: string, play: () => Promise<void>) =>
  it(name, async (context) => {
    if (missing !== undefined) return context.skip(`Gemini is not installed: ${missing}`);
    await play();
  }, 40_000);

test('an idle one takes a message through its box, and its hook shows that it did', async () => {
  const message = await gemini.whenReceived(await gemini.send('while idle'));
  expect(message.way).not.toBe('door');
  expect(message.events.some(({ data }) => data.evidence === 'BeforeAgent hook')).toBe(true);
  await gemini.stage.rest();
});

test('a busy one takes it at the end of its turn, beside a draft', async () => {
  await gemini.keepBusy('one');
  await gemini.stage.typist.type('half a draft');
  const id = await gemini.send('at the end');
  await gemini.whenAccepted(id);
  gemini.release('one');
  expect((await gemini.whenReceived(id)).way).toBe('door');
  await expect.poll(() => gemini.times('at the end')).toBe(1);
  await gemini.stage.rest();
  expect(await gemini.stage.takeDraft()).toBe('half a draft');
});

test('what an interrupt makes it leave out is delivered once', async () => {
  await gemini.keepBusy('two');
  const id = await gemini.send('before an interrupt');
  await gemini.whenAccepted(id);
  await gemini.stage.typist.press('Escape');
  await gemini.whenReceived(id);
  await expect.poll(() => gemini.times('before an interrupt'), { timeout: 5000 }).toBe(1);
  await gemini.stage.rest();
});
