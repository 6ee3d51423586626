// A whole conversation between two real agents, Claude Code and Codex, with a stand-in model behind them: one is spoken for by an
// MCP client of the official SDK, the other over HTTP, by nothing but the API's own document.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, expect } from 'vitest';
import type { Message, Session } from '../src/api/types.js';
import { startBeside } from './support/beside.js';
import { DocumentedApi } from './support/documented-api.js';
import { call, connect } from './support/mcp-client.js';
import { type RealAgent, testsOf } from './support/real-agent.js';

const test = testsOf('claude', undefined, { beside: ['codex'] });
const WAIT_S = 30;

interface Scene {
  claude: Session;
  codex: Session;
  // Claude Code's MCP server, and that of a person.
  tools: Client;
  ofPerson: Client;
  api: DocumentedApi;
}
let scene: Scene | undefined;
afterAll(() => Promise.all([scene?.tools.close(), scene?.ofPerson.close()]));

async function setUp(agent: RealAgent): Promise<Scene> {
  const { place } = agent.stage;
  const server = { command: process.execPath, args: [place.cli, 'mcp'], env: place.env };
  const codex = await startBeside(agent, { kind: 'codex', name: 'codex' });
  const [tools, ofPerson, api] = await Promise.all([
    connect({ ...server, env: { ...place.env, SM_SESSION: agent.own.id } }),
    connect(server),
    DocumentedApi.at(place.locations.socket),
  ]);
  return { claude: agent.own, codex, tools: tools.client, ofPerson: ofPerson.client, api };
}

const conversation = (title: string, play: (scene: Scene, agent: RealAgent) => Promise<void>): void =>
  test(title, async (agent) => {
    scene ??= await setUp(agent);
    await play(scene, agent);
  });

// How often the model of each was given a text.
const toldTo = (agent: RealAgent, text: string): { claude: number; codex: number } => {
  const of = (proto: string): number =>
    agent.times(
      text,
      agent.requests().filter((request) => request.proto === proto),
    );
  return { claude: of('anthropic'), codex: of('responses') };
};
const headerOf = ({ id, name }: Pick<Session, 'id' | 'name'>, message: string): string =>
  `[Input from: ${name} (${id}) via sm send] #${message}`;

const sendAs = async ({ api, codex }: Scene, request: Record<string, unknown>): Promise<Message> => {
  const body = { from: { session: codex.id }, ...request };
  return (await api.call('post', '/api/v1/messages', { body })).messages[0];
};
const waitByApi = (
  { api }: Scene,
  message: string,
  receipt: 'received' | 'done',
): Promise<{ outcome: string; receipt: string }> =>
  api.call('get', '/api/v1/messages/{message}/wait', { with: { message, for: receipt, timeout: WAIT_S } });

conversation('both see both, and know who they are', async ({ tools, ofPerson, api, claude, codex }) => {
  const { you, sessions } = await call(tools, 'list_sessions');
  expect(you).toBe(claude.name);
  expect(sessions).toContainEqual(expect.objectContaining({ name: claude.name, agent: 'claude', you: true }));
  expect(sessions).toContainEqual(
    expect.objectContaining({ name: 'codex', agent: 'codex', state: 'live', status: 'idle' }),
  );
  expect((await call(ofPerson, 'list_sessions')).you).toBeNull();
  const listed: { sessions: Session[] } = await api.call('get', '/api/v1/sessions');
  expect(listed.sessions.map(({ id }) => id)).toEqual(expect.arrayContaining([claude.id, codex.id]));
  const wrong = { to: 'codex', text: 'to a word instead of a list' };
  await expect(api.call('post', '/api/v1/messages', { body: wrong })).rejects.toThrow('does not fit');
});

conversation('a message is sent, received, answered while it is handled, and done', async (all, agent) => {
  const { tools, api, claude, codex } = all;
  const text = '[[hold build]] is the build green?';
  const sent = await call(tools, 'send', { to: 'codex', text });
  const [{ id }] = sent.messages;
  expect(sent.messages).toEqual([expect.objectContaining({ to: 'codex', from: claude.name })]);
  const waited = await call(tools, 'wait', { message: id, timeout_seconds: WAIT_S });
  expect(waited).toMatchObject({ outcome: 'reached', message: { receipt: 'received' } });

  // Its turn runs, so what it answers needs no id.
  const reply = { from: { session: codex.id }, text: 'it is green' };
  const answered = await api.call('post', '/api/v1/replies', { body: reply });
  expect(answered).toMatchObject({ answers: id, messages: [{ in_reply_to: id, to: { id: claude.id } }] });
  const back: string = answered.messages[0].id;
  expect(await waitByApi(all, back, 'done')).toMatchObject({ outcome: 'reached', receipt: 'done' });
  agent.release('build');
  expect(await call(tools, 'wait', { message: id, for: 'done', timeout_seconds: WAIT_S })).toMatchObject({
    outcome: 'reached',
    message: { receipt: 'done' },
  });

  expect(toldTo(agent, `${headerOf(claude, id)}\n${text}`)).toEqual({ claude: 0, codex: 1 });
  expect(toldTo(agent, `${headerOf(codex, back)}\nit is green`)).toEqual({ claude: 1, codex: 0 });
  expect((await call(tools, 'check_inbox')).messages).toContainEqual(
    expect.objectContaining({ id: back, from: 'codex', text: 'it is green', in_reply_to: id }),
  );
  const thread = await api.call('get', '/api/v1/messages', { with: { thread: id } });
  expect(thread.messages.map((message: Message) => message.id)).toEqual([id, back]);
});

conversation('each asks the other, and has its answer', async (all, agent) => {
  const { tools, api } = all;
  const asked = await call(tools, 'ask', { to: 'codex', text: 'which port?', timeout_seconds: WAIT_S });
  expect(asked).toMatchObject({ outcome: 'reached', answer: expect.stringMatching(/^ok \d+$/) });
  const { id } = await sendAs(all, { to: [all.claude.name], text: 'which host?', wait_for: 'done' });
  expect(await waitByApi(all, id, 'done')).toMatchObject({ outcome: 'reached' });
  const message = await api.call('get', '/api/v1/messages/{message}', { with: { message: id } });
  expect(message).toMatchObject({ receipt: 'done', answer: expect.stringMatching(/^ok \d+$/) });
  expect(toldTo(agent, 'which port?')).toEqual({ claude: 0, codex: 1 });
  expect(toldTo(agent, 'which host?')).toEqual({ claude: 1, codex: 0 });
});

conversation('one writes to the person, who answers out of the inbox', async (all, agent) => {
  const { ofPerson, api, codex } = all;
  const body = { to: ['@me'], text: 'may I delete it?', from: { session: codex.id } };
  const { inbox } = await api.call('post', '/api/v1/messages', { body });
  const mail = await call(ofPerson, 'check_inbox', { only: 'new' });
  expect(mail).toMatchObject({ inbox_of: 'the person', unread: 1, messages: [{ id: inbox[0].id }] });
  const answer = await call(ofPerson, 'reply', { to: inbox[0].id, text: 'no, keep it' });
  expect(await waitByApi(all, answer.messages[0].id, 'done')).toMatchObject({ outcome: 'reached' });
  const told = `[Input from: user via sm send] #${answer.messages[0].id}\nno, keep it`;
  expect(toldTo(agent, told)).toEqual({ claude: 0, codex: 1 });
  expect(await api.call('get', '/api/v1/inbox')).toEqual({ items: [], unread: 0 });
});

conversation('reminders come to both, each once, and then both rest', async (all, agent) => {
  const { tools, api, claude, codex } = all;
  await call(tools, 'remind', { text: 'look at codex', in_seconds: 1 });
  const body = { text: 'look at claude', in_seconds: 1, from: { session: codex.id } };
  await api.call('post', '/api/v1/reminders', { body });
  const times = () => [
    toldTo(agent, '[sm] Scheduled reminder:\nlook at codex'),
    toldTo(agent, '[sm] Scheduled reminder:\nlook at claude'),
  ];
  const isTold = (): boolean => times()[0]?.claude === 1 && times()[1]?.codex === 1;
  await agent.eventually(isTold, 'both are reminded', times);
  const reached = { outcome: 'reached', status: 'idle' };
  expect(await call(tools, 'wait', { session: 'codex', timeout_seconds: WAIT_S })).toMatchObject(reached);
  const waited = { session: claude.id, for: 'idle', timeout: WAIT_S };
  expect(await api.call('get', '/api/v1/sessions/{session}/wait', { with: waited })).toMatchObject({
    outcome: 'reached',
    status: { state: 'idle' },
  });
  expect(times()).toEqual([
    { claude: 1, codex: 0 },
    { claude: 0, codex: 1 },
  ]);
});
