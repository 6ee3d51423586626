// Codex's door on the real Codex: idle, busy, a dialog, an interrupt, several of them, and what is killed in between.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Session } from '../src/api/types.js';
import { binFolder, type RealAgent, sleep, soon, testsOf, waysOf } from './support/real-agent.js';

const test = testsOf('codex');
// Long enough for what must not come to be seen.
const WATCH_MS = 1000;

async function start({ stage }: RealAgent, name: string, ...options: string[]): Promise<Session> {
  const { place } = stage;
  const words = ['new', '--json', '--name', name, '--cwd', place.cwd, '--env', 'STAND_IN_KEY=none'];
  const program = [path.join(binFolder('codex'), 'codex'), ...options];
  return JSON.parse(await place.sm([...words, '--socket', place.tmuxSocket, '--', ...program]));
}

// As a person does: a key that Codex drops while it still paints its question is pressed again.
async function answered({ stage }: RealAgent, pane: string): Promise<boolean> {
  const { place } = stage;
  const open = (): boolean => stage.agent.dialog(place.tmux('capture-pane', '-p', '-t', pane));
  if (open()) place.tmux('send-keys', '-t', pane, 'y');
  return soon(() => !open(), WATCH_MS);
}

// Three of an agent and one of a person, all in the queue of one that works on `hold` until it is released.
async function queueUp(codex: RealAgent, hold: string, to = codex.own.id): Promise<string[]> {
  await codex.send(`work [[hold ${hold}]]`, { to: [to] });
  await codex.whenStatus('busy', to);
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await codex.send(`${hold} ${n}`, { to: [to] }));
  ids.push(await codex.send(`${hold} of a person`, { to: [to], from: undefined }));
  for (const id of ids) await codex.whenAccepted(id);
  return ids;
}
// Another one in the pane of one that was killed. tmux gives it no secrets again.
const startAgain = ({ stage }: RealAgent, pane: string): void =>
  stage.place.tmux('respawn-pane', '-k', '-t', pane, '-e', 'STAND_IN_KEY=none');
const textsOf = (hold: string): string[] => [1, 2, 3, 'of a person'].map((which) => `${hold} ${which}`);
// What became of each after its queue had it.
const fatesOf = async (codex: RealAgent, ids: string[]): Promise<(string | undefined)[]> =>
  Promise.all(
    ids.map(async (id) => {
      const { events } = await codex.message(id);
      return events.map(({ kind }) => kind).find((kind) => ['returned', 'again', 'uncertain'].includes(kind));
    }),
  );

test('idle and busy: each exact, once, after the turn and in order; important ahead; the draft untouched', async (codex) => {
  const { stage } = codex;
  await stage.typist.person.type('half a draft');
  const first = await codex.whenDone(await codex.send('while idle'));
  expect(waysOf(first)).toEqual(['door']);
  expect(first.answer).toMatch(/^ok /);
  const busy = await codex.send('work [[hold one]]');
  await codex.whenStatus('busy');
  const burst: string[] = [];
  for (let i = 0; i < 5; i++) burst.push(await codex.send(`burst ${i}`));
  await codex.whenAccepted(burst[4] ?? '');
  const important = await codex.send('pressing', { mode: 'important' });
  await codex.whenAccepted(important);
  expect(codex.times('burst 0')).toBe(0);
  codex.release('one');
  for (const id of [busy, important, ...burst]) expect(waysOf(await codex.whenDone(id))).toEqual(['door']);
  const words = codex.asked();
  const expected = [
    'while idle',
    'work [[hold one]]',
    'pressing',
    ...[0, 1, 2, 3, 4].map((i) => `burst ${i}`),
  ];
  expect(words).toEqual(expected);
  await stage.rest();
  expect(await stage.takeDraft()).toBe('half a draft');
});

test('an approval is open: nothing is answered, mail waits behind it; then it goes on after a denial', async (codex) => {
  const { stage } = codex;
  const ran = path.join(stage.place.cwd, 'ran');
  await codex.send(`[[run touch ${ran}]] please`);
  await codex.whenStatus('waiting');
  const behind = await codex.send('behind the dialog');
  const urgent = await codex.send('urgent at the dialog', { mode: 'urgent' });
  await codex.whenAccepted(behind);
  await sleep(1000);
  expect(stage.dialogOpen()).toBe(true);
  expect((await codex.message(urgent)).state).toBe('pending');
  await stage.typist.press('Escape');
  for (const id of [behind, urgent]) await codex.whenDone(id);
  expect([codex.times('behind the dialog'), codex.times('urgent at the dialog')]).toEqual([1, 1]);
  expect(fs.existsSync(ran)).toBe(false);
});

test('a person interrupts with mail queued: Codex holds it, and it is let go on, once and in order', async (codex) => {
  const { stage } = codex;
  await codex.send('work [[hold two]]');
  await codex.whenStatus('busy');
  const queued = [await codex.send('held 1'), await codex.send('held 2')];
  await codex.whenAccepted(queued[1] ?? '');
  await stage.typist.press('Escape');
  for (const id of queued) await codex.whenDone(id);
  expect(codex.asked().slice(-2)).toEqual(['held 1', 'held 2']);
});

test('the daemon is killed with mail in the queue: received while nobody looked, and once', async (codex) => {
  await codex.send('work [[hold three]]');
  await codex.whenStatus('busy');
  const queued = await codex.send('through the crash');
  await codex.whenAccepted(queued);
  await codex.killDaemon();
  codex.release('three');
  await codex.eventually(() => codex.times('through the crash') > 0, 'it arrives');
  await codex.startDaemon();
  expect(waysOf(await codex.whenDone(queued))).toEqual(['door']);
  expect(codex.times('through the crash')).toBe(1);
});

test('two that start at once in one folder are told apart, as recipients and as senders', async (codex) => {
  const { stage } = codex;
  const { place } = stage;
  const both = await Promise.all([start(codex, 'bee'), start(codex, 'cee')]);
  for (const { id, name, pane } of both) {
    await codex.whenDoor('open', id);
    const command = `${process.execPath} ${place.cli} send ${codex.own.id} from-${name}`;
    await codex.send(`[[run ${command}]] to ${name}`, { to: [id] });
    await codex.whenStatus('waiting', id);
    const shown = (): string => place.tmux('capture-pane', '-p', '-t', pane);
    await codex.eventually(() => stage.agent.dialog(shown()), 'its question is on its own pane');
    await codex.eventually(() => answered(codex, pane), 'its question is answered', shown);
    await codex.eventually(() => codex.times(`from-${name}`) === 1, `from ${name}`, shown);
    const said = codex.requests().flatMap(({ users }) => users);
    const told = said.find((text) => text.endsWith(`\nfrom-${name}`));
    expect(told).toContain(`[Input from: ${name} (${id}) via sm send]`);
  }
});

test('with an option that gives it a server of its own the door is shut, and says so', async (codex) => {
  const { id } = await start(codex, 'dee', '-c', 'model_verbosity="low"');
  await codex.whenDoor('shut', id);
  expect((await codex.client.session(id)).door?.reason).toContain('a server of its own');
});

test('it is killed with mail in its queue: taken back out of it, for whoever comes next', async (codex) => {
  const { id: session, pane } = await start(codex, 'eff');
  await codex.whenDoor('open', session);
  const ids = await queueUp(codex, 'terminal', session);
  process.kill(await codex.pid('child', session), 'SIGKILL');
  for (const id of ids) await codex.whenState(id, 'pending');
  expect(await fatesOf(codex, ids)).toEqual(['returned', 'returned', 'returned', 'returned']);
  // Its server outlives it and finishes the turn: it must find nothing in the queue then.
  codex.release('terminal');
  await sleep(WATCH_MS);
  expect(textsOf('terminal').map((text) => codex.times(text))).toEqual([0, 0, 0, 0]);
  startAgain(codex, pane);
  for (const id of ids) await codex.whenReceived(id);
  await codex.eventually(() => codex.asked().at(-1) === 'terminal of a person', 'they are asked');
  expect(textsOf('terminal').map((text) => codex.times(text))).toEqual([1, 1, 1, 1]);
  // In the conversation that its pane shows now, and not in the one from before.
  expect(codex.lastLines(9)).toEqual(textsOf('terminal'));
  const shown = (): string => codex.stage.place.tmux('capture-pane', '-p', '-t', pane);
  await codex.eventually(() => shown().includes('terminal of a person'), 'its pane shows them');
});

test('its server is killed with mail in the queue: the next one has it, each once and in order', async (codex) => {
  const ids = await queueUp(codex, 'server');
  process.kill(codex.helper('--listen'), 'SIGKILL');
  await sleep(WATCH_MS);
  // Codex keeps its queue on disk, and its terminal waits for a server to come back.
  for (const id of ids) expect((await codex.message(id)).state).toBe('accepted');
  await start(codex, 'gee');
  for (const id of ids) expect(waysOf(await codex.whenDone(id))).toEqual(['door']);
  expect(codex.asked().slice(-4)).toEqual(textsOf('server'));
  expect(textsOf('server').map((text) => codex.times(text))).toEqual([1, 1, 1, 1]);
  // The door is open again, without a prompt of a person's.
  expect(waysOf(await codex.whenDone(await codex.send('after the crash')))).toEqual(['door']);
});

test('its server and then the agent are killed: nobody can be asked, so only its sender can tell', async (codex) => {
  const { id: session, pane } = await start(codex, 'aitch');
  await codex.whenDoor('open', session);
  const ids = await queueUp(codex, 'both', session);
  process.kill(codex.helper('--listen'), 'SIGKILL');
  process.kill(await codex.pid('child', session), 'SIGKILL');
  await codex.whenState(ids[3] ?? '', 'settled');
  expect(await fatesOf(codex, ids)).toEqual(['again', 'again', 'again', 'uncertain']);
  expect(textsOf('both').map((text) => codex.times(text))).toEqual([0, 0, 0, 0]);
  // What may be sent again comes to the next one, once.
  startAgain(codex, pane);
  for (const id of ids.slice(0, 3)) await codex.whenReceived(id);
  await codex.eventually(() => codex.asked().at(-1) === 'both 3', 'they are asked');
  expect(textsOf('both').map((text) => codex.times(text))).toEqual([1, 1, 1, 0]);
  expect(codex.lastLines(9)).toEqual(textsOf('both').slice(0, 3));
});
