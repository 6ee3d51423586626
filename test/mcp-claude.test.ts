// Two real Claude Codes with our MCP server: they write to each other with its tools alone, told by a client of the official SDK.
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'vitest';
import type { Session } from '../src/api/types.js';
import { binFolder, type RealAgent, testsOf } from './support/real-agent.js';

// Its user allows these tools.
const ALLOWED = '--allowedTools=mcp__sm';

const test = testsOf('claude', (subject) => {
  const before = { ...subject };
  Object.assign(subject, { smOptions: ['--mcp'], args: [ALLOWED] });
  return () => {
    for (const name of ['smOptions', 'args']) subject[name] = before[name];
  };
});

// Another one in the same place, with the same model behind it.
async function second({ stage }: RealAgent): Promise<Session> {
  const { place, model, agent } = stage;
  const env = Object.entries(agent.env({ url: model.url })).flatMap(([key, value]) => [
    '--env',
    `${key}=${value}`,
  ]);
  const where = ['--json', '--name', 'second', '--cwd', place.cwd, '--socket', place.tmuxSocket];
  const program = path.join(binFolder('claude'), 'claude');
  return JSON.parse(await place.sm(['new', '--mcp', ...where, ...env, '--', program, ALLOWED]));
}

// biome-ignore lint/suspicious/noExplicitAny: a result may be anything; the test says what it must be.
type Result = any;

test('one is told to write to the other, which answers, and each knows who it is', async (first) => {
  const { place } = first.stage;
  const other = await second(first);
  await first.whenDoor('open', other.id);
  await first.whenStatus('idle', other.id);
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [place.cli, 'mcp'], env: place.env }),
  );
  const call = async (name: string, input: Record<string, unknown>): Promise<Result> => {
    const result = await client.callTool({ name, arguments: input });
    expect([name, result.isError, result.structuredContent]).toEqual([name, undefined, expect.anything()]);
    return result.structuredContent;
  };
  try {
    const { sessions } = await call('list_sessions', {});
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(['the-claude', 'second']);
    const answer = `[[tool mcp__sm__reply ${JSON.stringify({ text: 'the answer is 42' })}]]`;
    const question = `[[tool mcp__sm__send ${JSON.stringify({ to: 'second', text: answer })}]]`;
    const asked = await call('ask', { to: 'the-claude', text: question, timeout_seconds: 40 });
    expect(asked).toMatchObject({ outcome: 'reached', answer: expect.stringMatching(/^tool done/) });

    await first.eventually(() => first.times('the answer is 42') === 1, 'the answer to be with the model');
    const mail = await first.client.messages({ limit: 10 });
    const [told, written, replied] = mail;
    expect(mail.map(({ from, to, text }) => [from.name, to.name, text])).toEqual([
      ['user', 'the-claude', question],
      ['the-claude', 'second', answer],
      ['second', 'the-claude', 'the answer is 42'],
    ]);
    expect(replied?.in_reply_to).toBe(written?.id);
    expect(told?.id).toBe(asked.message.id);
    const done = await call('wait', { message: replied?.id, for: 'done', timeout_seconds: 30 });
    expect(done).toMatchObject({ outcome: 'reached', message: { receipt: 'done' } });
  } finally {
    await client.close();
  }
});
