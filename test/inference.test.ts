// Inference with a real pane, a real daemon and a stand-in for the model.

import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

interface Asked {
  key: string | undefined;
  words: string;
}

let world: World;
let server: http.Server;
let asked: Asked[];
let content: string;

beforeEach(async () => {
  asked = [];
  content = '{"state":"needs_input","message":"It waits for a choice","confidence":0.9}';
  server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    asked.push({ key: request.headers.authorization, words: messages.map((one) => one.content).join('\n') });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world = new World({ CLASSIFIER_KEY: 'sk-very-secret' });
});
afterEach(async () => {
  await world.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('an agent that has fallen silent is seen to wait, once; its own word stands over that', {
  timeout: 90_000,
}, async () => {
  const { port } = server.address() as AddressInfo;
  await world.begin();
  // Says itself that it works: while that is fresh nobody is asked about it.
  const talks = await world.agent('box', [], { name: 'talks' });
  await world.client.signal(talks.session.id, { state: 'working' });
  world.configure(
    [
      `inference: { endpoint: { url: "http://127.0.0.1:${port}/v1", model: small, key_env: CLASSIFIER_KEY }, silence: 1s }`,
      'signal_fresh: 1h',
      'signal_actions: [{ on: needs_input, mail: { to: "@me", text: "{name}: {message}" } }]',
    ].join('\n'),
  );
  await until(
    async () =>
      (await world.client.config()).values.some(({ key, from }) => key === 'inference' && from === 'file'),
    'the configuration to be read',
  );
  const silent = await world.agent('box', [], { name: 'silent' });
  const signal = await until(
    async () => (await world.client.signals({ session: silent.session.id }))[0],
    'a signal',
  );
  expect(signal).toMatchObject({
    seq: 1,
    state: 'needs_input',
    message: 'It waits for a choice',
    door: 'inferred',
    confidence: 0.9,
  });
  // Nobody reported it.
  expect((await world.client.session('silent')).last_signal_at).toBeNull();
  await until(async () => (await world.client.inbox()).items.length === 1, 'what follows from it');
  expect((await world.client.inbox()).items[0]?.text).toBe('silent: It waits for a choice');
  const ofSilent = asked.filter(({ words }) => words.includes('Session: silent'));
  expect(ofSilent).toHaveLength(1);
  expect(ofSilent[0]?.key).toBe('Bearer sk-very-secret');
  expect(ofSilent[0]?.words).toContain(
    world.tmux('capture-pane', '-p', '-t', silent.session.pane).trim().split('\n')[0],
  );
  // The next daemon does not ask about the same screen, nor about the other.
  await world.kill9();
  await world.startDaemon();
  const third = await world.agent('box', [], { name: 'third' });
  await until(
    async () => (await world.client.signals({ session: third.session.id })).length === 1,
    'the third',
  );
  expect(asked.filter(({ words }) => words.includes('Session: silent'))).toHaveLength(1);
  expect(asked.filter(({ words }) => words.includes('Session: talks'))).toHaveLength(0);
  const report = await world.client.doctor();
  expect(report.checks.find(({ about }) => about === 'inference')?.detail).toMatch(
    /^by small at http:\/\/127\.0\.0\.1:\d+; 1 of 60 questions in 1h$/,
  );
  const log = fs.readFileSync(path.join(world.home, 'daemon.log'), 'utf8');
  expect(log).not.toContain('sk-very-secret');
});

test('what makes no sense is said, and changes nothing', { timeout: 60_000 }, async () => {
  const { port } = server.address() as AddressInfo;
  content = 'it looks idle to me';
  world.configure(
    `inference: { endpoint: { url: "http://127.0.0.1:${port}/v1", model: small }, silence: 1s }`,
  );
  await world.begin();
  const agent = await world.agent('box', [], { name: 'silent' });
  const problem = await until(
    async () => (await world.client.doctor()).findings.find(({ about }) => about === 'inference'),
    'the doctor to say it',
  );
  expect(problem).toMatchObject({
    level: 'problem',
    message: expect.stringContaining('it looks idle to me'),
  });
  expect(await world.client.signals({ session: agent.session.id })).toEqual([]);
});
