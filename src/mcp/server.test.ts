// The server as a client of the official SDK sees it, with tools made for the purpose and without a daemon.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiFailure, type Client as Daemon } from '../api/client.js';
import type { Message, Session } from '../api/types.js';
import { callerOf, type Desk, waitInSlices } from './desk.js';
import { type Call, makeServer } from './server.js';
import { defineTool, type Tool } from './tool.js';
import { TOOLS } from './tools/index.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Seen {
  calls: Call[];
}

async function connect(tools: readonly Tool[], desk: Partial<Desk> = {}): Promise<Client & Seen> {
  const calls: Call[] = [];
  const server = makeServer({
    version: '1.2.3',
    tools,
    deskFor: (call) => {
      calls.push(call);
      const none = (): Promise<never> => Promise.reject(new Error('no daemon in this test'));
      return { ask: none, from: undefined, me: none, ...call, ...desk };
    },
  });
  const client = new Client({ name: 'test', version: '0' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  closing.push(() => client.close());
  return Object.assign(client, { calls });
}

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'greets',
  effect: 'reads',
  input: z.strictObject({
    name: z.string('must be a name').min(1, 'must not be empty'),
    times: z.int('must be a whole number').default(1),
  }),
  run: async ({ name, times }) => ({ greeting: Array(times).fill(`hello ${name}`).join(', ') }),
});

test('says who it is and what its tools take', async () => {
  const client = await connect([greet]);
  expect(client.getServerVersion()).toMatchObject({ name: 'suremail', version: '1.2.3' });
  expect(client.getInstructions()).toContain('reply');
  const { tools } = await client.listTools();
  expect(tools).toEqual([
    expect.objectContaining({
      name: 'greet',
      annotations: expect.objectContaining({ readOnlyHint: true, destructiveHint: false }),
      inputSchema: expect.objectContaining({
        type: 'object',
        required: ['name'],
        additionalProperties: false,
      }),
    }),
  ]);
});

test('a result comes as text and as structure', async () => {
  const client = await connect([greet]);
  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ann' } });
  expect(result).toMatchObject({ structuredContent: { greeting: 'hello Ann' } });
  expect(JSON.parse((result.content as { text: string }[])[0]?.text ?? '')).toEqual({
    greeting: 'hello Ann',
  });
  expect(result.isError).toBeUndefined();
});

test.each<[string, Record<string, unknown>, object]>([
  ['an empty field', { name: '' }, { field: 'name', value: '', expected: 'must not be empty' }],
  ['a missing field', {}, { field: 'name', expected: 'must be a name' }],
  [
    'a wrong kind',
    { name: 'A', times: 'x' },
    { field: 'times', value: 'x', expected: 'must be a whole number' },
  ],
  [
    'an unknown field',
    { name: 'A', loud: true },
    { field: 'loud', value: true, expected: 'no such field; greet takes name, times' },
  ],
])('%s is a tool error with the field, the value and what is expected', async (_, input, error) => {
  const client = await connect([greet]);
  const result = await client.callTool({ name: 'greet', arguments: input });
  expect(result).toMatchObject({ isError: true, structuredContent: { error } });
  expect((result.content as { text: string }[])[0]?.text).toContain('\nexpected: ');
});

test.each([0, 0.1])(
  'remind says how often at most: every %s s is refused with the least',
  async (every_seconds) => {
    const client = await connect(TOOLS);
    const result = await client.callTool({ name: 'remind', arguments: { text: 'x', every_seconds } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: { field: 'every_seconds', expected: 'must be seconds, at least 1 and at most 366 days' },
      },
    });
  },
);

test('what the daemon refuses is a tool error in its words', async () => {
  const detail = {
    code: 'not_found',
    message: 'no such session: x',
    field: 'to',
    value: 'x',
    expected: 'one of: a',
  };
  const client = await connect(TOOLS, { ask: () => Promise.reject(new ApiFailure(404, detail)) });
  const result = await client.callTool({ name: 'send', arguments: { to: 'x', text: 'hello' } });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: detail } });
  expect((result.content as { text: string }[])[0]?.text).toBe(
    'no such session: x\nfield: to\nvalue: "x"\nexpected: one of: a',
  );
});

test('arguments that are null are none: the tool says what it needs', async () => {
  const client = await connect([greet]);
  const params = { name: 'greet', arguments: null };
  const result = await client.request({ method: 'tools/call', params } as never, CallToolResultSchema);
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { field: 'name' } } });
});

test('an unknown tool is refused with those that there are', async () => {
  const client = await connect([greet]);
  await expect(client.callTool({ name: 'nope' })).rejects.toThrow('no such tool: nope; the tools are greet');
});

test('what a client says beside the arguments reaches the desk', async () => {
  const client = await connect([greet]);
  await client.callTool({ name: 'greet', arguments: { name: 'A' }, _meta: { threadId: 't-1' } });
  expect(client.calls[0]?.meta).toMatchObject({ threadId: 't-1' });
  expect(callerOf({ session: 's' }, { threadId: 't-1' })).toEqual({ session: 's', threads: ['t-1'] });
  expect(callerOf(undefined, {})).toBeUndefined();
});

test('a long wait says that it is still under way, to a client that asks to hear it', async () => {
  let looks = 0;
  const patient = defineTool({
    name: 'patient',
    title: 'Patient',
    description: 'waits',
    effect: 'reads',
    input: z.strictObject({}),
    run: async (_, desk) => ({
      looks: await waitInSlices(
        desk,
        60_000,
        async () => ++looks,
        (n) => n === 3,
      ),
    }),
  });
  const client = await connect([patient]);
  const heard: number[] = [];
  const result = await client.callTool({ name: 'patient', arguments: {} }, undefined, {
    onprogress: ({ progress }) => heard.push(progress),
  });
  expect(result.structuredContent).toEqual({ looks: 3 });
  expect(heard).toEqual([1, 2]);
});

test('a wait ends with its time, and when the client takes the call back', async () => {
  const desk = { signal: new AbortController().signal, beat: async () => {} };
  const look = async (seconds: number): Promise<number> => seconds;
  expect(await waitInSlices(desk, 0, look, () => false)).toBe(0.001);
  expect(await waitInSlices({ ...desk, signal: AbortSignal.abort() }, 60_000, look, () => false)).toBe(10);
});

test.each<[string, Record<string, unknown>, string]>([
  ['neither', {}, 'message'],
  ['both', { message: 'm', session: 's' }, 'message'],
  ['idle of a message', { message: 'm', for: 'idle' }, 'for'],
  ['done of a session', { session: 's', for: 'done' }, 'for'],
  ['no time at all', { session: 's', timeout_seconds: 0 }, 'timeout_seconds'],
])('wait: %s is refused', async (_, input, field) => {
  const result = await (await connect(TOOLS)).callTool({ name: 'wait', arguments: input });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { field } } });
});

test.each<[string, Record<string, unknown>, string]>([
  ['no time', { text: 'x' }, 'in_seconds'],
  ['two times', { text: 'x', in_seconds: 5, at: '2026-07-25T17:30:00Z' }, 'at'],
  ['a time without a zone', { text: 'x', at: '17:30' }, 'at'],
])('remind: %s is refused', async (_, input, field) => {
  const result = await (await connect(TOOLS)).callTool({ name: 'remind', arguments: input });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { field } } });
});

test.each(['worker-*', 'w?', '@reviewers', '@all', '@children', '@me'])(
  'ask: %s is refused before anything is sent, as one is asked at a time',
  async (to) => {
    let requests = 0;
    const ask = (): Promise<never> => Promise.reject(new Error(`request ${++requests}`));
    const client = await connect(TOOLS, { ask });
    const result = await client.callTool({ name: 'ask', arguments: { to, text: 'which port?' } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { field: 'to', value: to, expected: expect.stringContaining('session') } },
    });
    expect(requests).toBe(0);
    await client.callTool({ name: 'ask', arguments: { to: '@parent', text: 'which port?' } });
    expect(requests).toBe(1);
  },
);

test('status is for the agent of a session', async () => {
  const client = await connect(TOOLS, { me: async () => null });
  const result = await client.callTool({ name: 'report_status', arguments: { status: 'busy' } });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'no_session' } } });
});

test('who calls goes with what is sent', async () => {
  const requests: unknown[] = [];
  const daemon = {
    send: async (request: unknown) => {
      requests.push(request);
      return { messages: [], inbox: [], plans: [], repeated: false };
    },
  } as unknown as Daemon;
  const client = await connect(TOOLS, { ask: (request) => request(daemon), from: { session: 's1' } });
  await client.callTool({ name: 'send', arguments: { to: 'api', text: 'hello', mode: 'important' } });
  expect(requests).toEqual([{ to: ['api'], text: 'hello', mode: 'important', from: { session: 's1' } }]);
});

test('an agent’s new mail is what still comes: not what it took, and not what nobody is sure of', async () => {
  const to = { id: 's', name: 's' };
  const mail = (id: string, state: Message['state'], receipt: Message['receipt']) => ({
    id,
    state,
    receipt,
    to,
    from: { id: null, name: 'user' },
    text: id,
    queue_position: null,
  });
  const messages = async () => [
    mail('taken', 'settled', 'submitted'),
    mail('uncertain', 'settled', 'queued'),
    mail('waits', 'pending', 'queued'),
  ];
  const client = await connect(TOOLS, {
    me: async () => to as Session,
    ask: (act) => act({ messages } as unknown as Daemon),
  });
  const result = await client.callTool({ name: 'check_inbox', arguments: { only: 'new' } });
  expect(result.structuredContent).toMatchObject({ messages: [{ id: 'waits' }] });
});
