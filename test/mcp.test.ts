// `sm mcp` with the client of the official SDK over stdio, as agents start it: a whole conversation, without a shell.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type McpServer, type Result, connect as startServer } from './support/mcp-client.js';
import { ROOT, until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
const clients: Client[] = [];
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await world.dispose();
});

async function connect(server: McpServer): Promise<{ client: Client; pid: number }> {
  const connected = await startServer(server);
  clients.push(connected.client);
  return connected;
}

async function refusal(client: Client, name: string, input: Record<string, unknown>): Promise<Result> {
  const result = await client.callTool({ name, arguments: input });
  expect(result.isError).toBe(true);
  return (result.structuredContent as Result).error;
}

// A session whose agent was given our server by `sm new --mcp`, and that server as its agent would start it.
interface Member {
  agent: TestAgent;
  client: Client;
}

async function member(name: string, busy: number): Promise<Member> {
  const log = world.agentLog(name);
  const { code, stderr } = await world.sm([
    'new',
    '--mcp',
    '--name',
    name,
    '--agent',
    'claude',
    '--socket',
    world.socket,
    '--cwd',
    world.folder,
    '--env',
    `CLAUDE_CONFIG_DIR=${fs.mkdtempSync(path.join(world.folder, 'config-'))}`,
    '--env',
    `FAKE_LOG=${log.log}`,
    '--',
    process.execPath,
    path.join(ROOT, 'test/agents/woken/cli.mjs'),
    '--busy',
    String(busy),
  ]);
  expect([code, stderr]).toEqual([0, '']);
  const session = await world.client.session(name);
  await until(async () => (await world.client.session(name)).door?.state === 'open', 'its door to open');
  const file = path.join(world.home, 'doors', session.id, 'mcp.json');
  const { mcpServers } = JSON.parse(fs.readFileSync(file, 'utf8')) as { mcpServers: { sm: McpServer } };
  const { client } = await connect(mcpServers.sm);
  return { agent: { session, ...log }, client };
}

describe('two agents', () => {
  let ann: Member;
  let bob: Member;
  beforeAll(async () => {
    ann = await member('ann', 20);
    bob = await member('bob', 3000);
  });

  test('the agent is told of the server on its command line', () => {
    const argv = fs.readFileSync(`/proc/${ann.agent.pid()}/cmdline`, 'utf8').split('\0');
    expect(argv).toContain(
      `--mcp-config=${path.join(world.home, 'doors', ann.agent.session.id, 'mcp.json')}`,
    );
  });

  test('all tools are listed, each with what it takes', async () => {
    const { tools } = await ann.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_sessions',
      'send',
      'reply',
      'check_inbox',
      'wait',
      'ask',
      'remind',
      'report_status',
      'signal',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/./);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  test('a conversation: list, send, wait until it is received, look, reply, and look again', async () => {
    const { you, sessions } = await call(ann.client, 'list_sessions');
    expect(you).toBe('ann');
    expect(sessions).toContainEqual(expect.objectContaining({ name: 'ann', you: true }));
    expect(sessions).toContainEqual(expect.objectContaining({ name: 'bob', agent: 'claude', state: 'live' }));

    const sent = await call(ann.client, 'send', { to: 'bob', text: 'is the build green?' });
    const [{ id }] = sent.messages;
    expect(sent.messages).toEqual([expect.objectContaining({ to: 'bob', from: 'ann', mode: 'sequential' })]);
    const waited = await call(ann.client, 'wait', { message: id, timeout_seconds: 20 });
    expect(waited).toMatchObject({ outcome: 'reached', message: { receipt: 'received' } });
    expect(bob.agent.submissions().filter((text) => text.includes(`#${id}`))).toHaveLength(1);

    const { inbox_of, messages } = await call(bob.client, 'check_inbox');
    expect(inbox_of).toBe('bob');
    expect(messages.at(-1)).toMatchObject({ id, from: 'ann', text: 'is the build green?' });

    // While its turn runs, the message that it handles is known.
    const answer = await call(bob.client, 'reply', { text: 'it is' });
    expect(answer).toMatchObject({ answers: id, messages: [{ to: 'ann', from: 'bob', in_reply_to: id }] });
    const back = answer.messages[0].id;
    expect(await call(bob.client, 'wait', { message: back, for: 'done', timeout_seconds: 20 })).toMatchObject(
      {
        outcome: 'reached',
      },
    );
    expect(ann.agent.submissions().filter((text) => text.includes(`#${back}`))).toHaveLength(1);
    expect((await call(ann.client, 'check_inbox')).messages).toEqual([
      expect.objectContaining({ id: back, from: 'bob', text: 'it is', in_reply_to: id }),
    ]);
  });

  test('ask: the answer of the agent, once its turn has ended', async () => {
    const asked = await call(bob.client, 'ask', { to: 'ann', text: 'how much is it?' });
    expect(asked).toMatchObject({ outcome: 'reached', answer: expect.stringMatching(/^ok \d+$/) });
    const again = await call(bob.client, 'ask', { answer_of: asked.message.id });
    expect(again.answer).toBe(asked.answer);
  });

  test('ask: the time is over first, and the answer can be had later', async () => {
    const asked = await call(ann.client, 'ask', { to: 'bob', text: 'slowly', timeout_seconds: 0.5 });
    expect(asked).toMatchObject({ outcome: 'timeout', answer: null });
    const later = await call(ann.client, 'ask', { answer_of: asked.message.id, timeout_seconds: 20 });
    expect(later).toMatchObject({ outcome: 'reached', answer: expect.stringMatching(/^ok/) });
  });

  test('wait until an agent rests: not before what was just sent is done', async () => {
    const sent = await call(ann.client, 'send', { to: 'bob', text: 'some work' });
    expect(await call(ann.client, 'wait', { session: 'bob', timeout_seconds: 30 })).toMatchObject({
      outcome: 'reached',
      status: 'idle',
    });
    expect((await world.client.message(sent.messages[0].id)).receipt).toBe('done');
  });

  test('a reminder comes as a message', async () => {
    const set = await call(ann.client, 'remind', { text: 'look at bob', in_seconds: 1 });
    expect(set).toMatchObject({ to: 'ann', due_at: expect.any(String) });
    await until(
      () => ann.agent.submissions().some((text) => text.includes('[sm] Scheduled reminder:\nlook at bob')),
      'the reminder',
    );
  });

  test('a signal is numbered, once for an id, and one that is none is refused with what would be right', async () => {
    const said = { state: 'needs_input', message: 'Which port?', id: 'q1' };
    const answer = { session: 'ann', seq: 1, state: 'needs_input' };
    expect(await call(ann.client, 'signal', said)).toEqual({ ...answer, outcome: 'new' });
    expect(await call(ann.client, 'signal', said)).toEqual({ ...answer, outcome: 'known' });
    const shown = { signal_state: 'needs_input', signal_message: 'Which port?', signal_door: 'mcp' };
    expect(await world.client.session('ann')).toMatchObject(shown);
    expect(await refusal(ann.client, 'signal', { state: 'unheard' })).toMatchObject({
      field: 'state',
      expected: expect.stringContaining('needs_testing'),
    });
  });

  test('busy: sequential mail waits, important mail does not; ready: it comes', async () => {
    expect(await call(ann.client, 'report_status', { status: 'busy', with: 'a release' })).toEqual({
      session: 'ann',
      status: 'busy',
    });
    const waits = (await call(bob.client, 'send', { to: 'ann', text: 'later' })).messages[0];
    const comes = (await call(bob.client, 'send', { to: 'ann', text: 'soon', mode: 'important' }))
      .messages[0];
    expect(await call(bob.client, 'wait', { message: comes.id, timeout_seconds: 20 })).toMatchObject({
      outcome: 'reached',
    });
    expect((await world.client.message(waits.id)).held).toBe('busy');
    await call(ann.client, 'report_status', { status: 'ready' });
    expect(await call(bob.client, 'wait', { message: waits.id, timeout_seconds: 20 })).toMatchObject({
      outcome: 'reached',
    });
  });

  test('what is wrong is a tool error with the field, the value and what would be right', async () => {
    expect(await refusal(ann.client, 'send', { to: 'nobody', text: 'x' })).toMatchObject({
      code: 'not_found',
      value: 'nobody',
      expected: expect.stringContaining('bob'),
    });
    expect(await refusal(ann.client, 'send', { to: 'bob', text: '  ' })).toMatchObject({ field: 'text' });
    expect(await refusal(ann.client, 'send', { to: 'bob', text: 'x', mode: 'fast' })).toMatchObject({
      field: 'mode',
      value: 'fast',
      expected: 'must be sequential, important or urgent',
    });
    expect(await refusal(ann.client, 'wait', { message: '0123456789ab' })).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('outside of all sessions', () => {
  const outside = (home = world.home): Promise<{ client: Client; pid: number }> =>
    connect({
      command: process.execPath,
      args: [path.join(ROOT, 'dist/cli/main.js'), 'mcp'],
      env: { SM_HOME: home, SM_PORT: '0', TMUX_TMPDIR: world.folder },
    });

  test('it speaks for the person, whose inbox it shows', async () => {
    const { client } = await outside();
    expect((await call(client, 'list_sessions')).you).toBeNull();
    const ann = await member('writer', 20);
    const written = await call(ann.client, 'send', { to: '@me', text: 'for a person' });
    expect(written).toEqual({ messages: [], to_the_person: [{ id: expect.any(String) }] });
    const inbox = await call(client, 'check_inbox', { only: 'new' });
    expect(inbox).toMatchObject({ inbox_of: 'the person', unread: 1 });
    expect(inbox.messages).toEqual([
      expect.objectContaining({ from: 'writer', text: 'for a person', read: false }),
    ]);
    const sent = await call(client, 'send', { to: 'writer', text: 'thanks' });
    expect(sent.messages).toEqual([expect.objectContaining({ from: 'user', to: 'writer' })]);
    expect(await refusal(client, 'report_status', { status: 'busy' })).toMatchObject({ code: 'no_session' });
  });

  test('where no daemon runs it starts one', async () => {
    const home = path.join(world.folder, 'other-home');
    const { client } = await outside(home);
    expect(await call(client, 'list_sessions')).toEqual({ you: null, sessions: [] });
    const info = path.join(home, 'daemon.json');
    expect(fs.existsSync(info)).toBe(true);
    const { code } = await world.sm(['down'], { env: { SM_HOME: home } });
    expect(code).toBe(0);
  });

  test('a line that is no JSON is answered, and the next one as ever', () => {
    const { stdout } = spawnSync(process.execPath, [path.join(ROOT, 'dist/cli/main.js'), 'mcp'], {
      input: 'nonsense\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
      env: { ...process.env, SM_HOME: world.home },
      encoding: 'utf8',
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringContaining('no JSON') } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });

  test('it ends with its client, and prints nothing but the protocol', async () => {
    const { client, pid } = await outside();
    await call(client, 'list_sessions');
    await client.close();
    await until(() => !fs.existsSync(`/proc/${pid}`), 'the server to end');
  });
});

test.each([
  ['gemini', 'gemini mcp add'],
  ['generic', 'not known how'],
])('sm new --mcp says why %s cannot be given it, and starts nothing', async (agent, words) => {
  const before = (await world.client.sessions()).length;
  const { code, stderr } = await world.sm(['new', '--mcp', '--agent', agent, '--', 'cat']);
  expect(code).not.toBe(0);
  expect(stderr).toContain(words);
  expect((await world.client.sessions()).length).toBe(before);
});
