// Asking what state a screen shows: a command, and a stand-in for an endpoint that speaks as OpenAI's does.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Inference } from '../mail/index.js';
import { type Classified, classifier } from './classifier.js';

const QUESTION = {
  session: { id: '0232e721', name: 'api' },
  agent: 'claude',
  screen: 'Do you want to proceed?\n❯ 1. Yes',
  states: ['working', 'needs_input'],
};
const env = { PATH: process.env.PATH, KEY: 'sk-secret' };

const ask = (by: Inference['by'], { timeoutMs = 20_000 } = {}): Promise<Classified> =>
  classifier({ env })(
    { by, silenceMs: 1, timeoutMs, budget: { count: 1, perMs: 1 }, confidence: 0 },
    QUESTION,
    new AbortController().signal,
  );

describe('a command', () => {
  const sh = (script: string, options = {}): Promise<Classified> =>
    ask({ kind: 'command', argv: ['sh', '-c', script] }, options);

  test('gets the question as JSON, and answers with JSON', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-class-'));
    const answer = '{"state":"needs_input","message":"yes or no","confidence":0.9}';
    expect(await sh(`cat >${folder}/question; echo '${answer}'`)).toEqual({
      kind: 'answered',
      answer: JSON.parse(answer),
    });
    expect(JSON.parse(fs.readFileSync(`${folder}/question`, 'utf8'))).toEqual(QUESTION);
    fs.rmSync(folder, { recursive: true });
  });

  test.each<[string, 'refused' | 'missed', RegExp]>([
    ['echo needs_input', 'refused', /^no \{"state", "message", "confidence"\}: "needs_input\\n"$/],
    ['echo \'{"state":"asleep","confidence":1}\'', 'refused', /no such state: "asleep"/],
    ['echo \'{"state":"working","confidence":7}\'', 'refused', /confidence/],
    ['echo \'{"state":"working"}\'', 'refused', /confidence/],
    [':', 'refused', /confidence/],
    ['echo no >&2; exit 3', 'missed', /^it ended with 3: no$/],
  ])('%s', async (script, kind, reason) => {
    expect(await sh(script)).toEqual({ kind, reason: expect.stringMatching(reason) });
  });

  test('one that takes too long is ended', async () => {
    expect(await sh('sleep 600', { timeoutMs: 300 })).toEqual({
      kind: 'missed',
      reason: 'it took longer than 300 ms',
    });
  });
});

describe('an endpoint', () => {
  let server: http.Server;
  let url: string;
  let asked: {
    url: string;
    headers: http.IncomingHttpHeaders;
    body: { model: string; messages: { content: string }[] };
  }[];
  let manner: (response: http.ServerResponse) => void;
  const content = (text: string): void => {
    manner = (response) =>
      response.end(
        JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: text } }] }),
      );
  };
  beforeEach(async () => {
    asked = [];
    server = http.createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      asked.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(body) });
      manner(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const endpoint = (more: { keyEnv?: string; url?: string } = {}, options = {}): Promise<Classified> =>
    ask({ kind: 'endpoint', url, model: 'small', keyEnv: null, ...more }, options);

  test('is asked with the screen and the states; the key comes from the environment', async () => {
    content('Sure:\n```json\n{"state": "needs_input", "message": "a choice", "confidence": 0.8}\n```');
    expect(await endpoint({ keyEnv: 'KEY' })).toEqual({
      kind: 'answered',
      answer: { state: 'needs_input', message: 'a choice', confidence: 0.8 },
    });
    const [request] = asked;
    expect([request?.url, request?.headers.authorization, request?.body.model]).toEqual([
      '/v1/chat/completions',
      'Bearer sk-secret',
      'small',
    ]);
    const words = request?.body.messages.map((message) => message.content).join('\n');
    expect(words).toContain('working, needs_input');
    expect(words).toContain(QUESTION.screen);
  });

  test('its whole address may be given; without a key none is sent', async () => {
    content('{"state":"working","confidence":1}');
    expect(await endpoint({ url: `${url}/chat/completions` })).toMatchObject({ kind: 'answered' });
    expect([asked[0]?.url, asked[0]?.headers.authorization]).toEqual(['/v1/chat/completions', undefined]);
  });

  test('a key that is not there is named, and nobody is asked', async () => {
    expect(await endpoint({ keyEnv: 'NO_KEY' })).toEqual({
      kind: 'missed',
      reason: "the variable NO_KEY is not in the daemon's environment",
    });
    expect(asked).toEqual([]);
  });

  test.each<[string, (response: http.ServerResponse) => void, Classified['kind'], RegExp]>([
    ['an error', (response) => response.writeHead(429).end(), 'missed', /^it answered 429$/],
    ['a redirect', (response) => response.writeHead(302, { location: '/x' }).end(), 'missed', /302/],
    ['no JSON', (response) => response.end('<html>'), 'refused', /^no completion: "<html>"$/],
    ['no answer in it', (response) => response.end('{"choices":[]}'), 'refused', /no completion/],
    ['a broken connection', (response) => response.destroy(), 'missed', /./],
    [
      'more than anybody asked for',
      (response) => response.end('x'.repeat(1_000_000)),
      'refused',
      /no completion/,
    ],
    ['silence', () => {}, 'missed', /^no answer within 300 ms$/],
  ])('%s', async (_, how, kind, reason) => {
    manner = how;
    expect(await endpoint({ keyEnv: 'KEY' }, { timeoutMs: 300 })).toEqual({
      kind,
      reason: expect.stringMatching(reason),
    });
  });
});
