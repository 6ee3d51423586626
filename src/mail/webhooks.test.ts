// Webhooks against a real HTTP server that fails as servers do.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InboxRow } from '../store/index.js';
import { postWebhook, signature } from './webhook-post.js';
import { Webhooks } from './webhooks.js';

interface Asked {
  headers: http.IncomingHttpHeaders;
  body: string;
}

// What the server does with each request in turn; the last goes on for ever.
type Manner = number | 'hang' | 'reset' | { redirect: string };
let manners: Manner[];
let asked: Asked[];
let server: http.Server;
let url: string;
const logged: { message: string; details: Record<string, unknown> }[] = [];
let made: Webhooks[];

beforeEach(async () => {
  asked = [];
  made = [];
  logged.length = 0;
  server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push({ headers: request.headers, body });
    const manner = (manners.length > 1 ? manners.shift() : manners[0]) ?? 200;
    if (manner === 'reset') request.socket.destroy();
    else if (typeof manner === 'number') response.writeHead(manner).end('some words');
    else if (manner !== 'hang') response.writeHead(302, { location: manner.redirect }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret/path`;
});
afterEach(async () => {
  for (const webhooks of made) webhooks.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const row = (id: string): InboxRow => ({
  seq: 1,
  id,
  sender_session: 's',
  sender_name: 'api',
  text: 'tests pass: ünïcode "quoted"',
  mode: 'sequential',
  in_reply_to: null,
  thread: id,
  created_at: 0,
  read_at: null,
});

function webhooks(hooks: { url: string; secret?: string }[], backOffMs = [5, 5, 5, 5, 5]): Webhooks {
  const one = new Webhooks({
    hooks: () => hooks,
    present: ({ id, text }) => ({ id, text }),
    backOffMs,
    timeoutMs: 200,
    log: (message, details) => void logged.push({ message, details }),
  });
  made.push(one);
  return one;
}

test('one that answers is told once, signed over the very bytes', async () => {
  manners = [204];
  await webhooks([{ url, secret: 'hush' }]).tell(row('a'));
  expect(asked).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = asked;
  expect(JSON.parse(body)).toEqual({ type: 'inbox', item: { id: 'a', text: row('a').text } });
  expect(headers['x-suremail-signature']).toBe(signature('hush', body));
  // As any other program would compute it.
  expect(signature('key', 'The quick brown fox jumps over the lazy dog')).toBe(
    'sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
  );
  expect(headers['x-suremail-delivery']).toBe('a');
  expect(logged).toEqual([]);
});

test('without a secret there is no signature', async () => {
  manners = [200];
  await webhooks([{ url }]).tell(row('a'));
  expect(asked[0]?.headers['x-suremail-signature']).toBeUndefined();
});

test.each<[string, Manner[]]>([
  ['an error of its own', [500, 503, 200]],
  ['no answer', ['hang', 200]],
  ['a connection that breaks', ['reset', 200]],
  ['a refusal', [404, 429, 200]],
])('after %s it is told again, the same bytes under the same name', async (_, answers) => {
  manners = [...answers];
  await webhooks([{ url, secret: 'hush' }]).tell(row('a'));
  expect(asked).toHaveLength(answers.length);
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  expect(new Set(asked.map(({ headers }) => headers['x-suremail-delivery']))).toEqual(new Set(['a']));
  expect(logged.map(({ message }) => message)).toEqual(answers.slice(1).map(() => 'webhook failed'));
});

test('after five more tries it is given up, and the log does not hold the address', async () => {
  manners = [500];
  await webhooks([{ url }]).tell(row('a'));
  expect(asked).toHaveLength(6);
  expect(logged.at(-1)).toEqual({
    message: 'webhook given up',
    details: { to: new URL(url).origin, item: 'a', tries: 6, reason: 'it answered 500' },
  });
  expect(JSON.stringify(logged)).not.toContain('secret/path');
});

test('a redirect is not followed', async () => {
  manners = [{ redirect: url }, 200];
  await webhooks([{ url }]).tell(row('a'));
  expect(logged[0]?.details.reason).toBe('it answered 302');
});

test('one that fails keeps none from the others, and for each the order holds', async () => {
  manners = [500, 200];
  const dead = 'http://127.0.0.1:1/';
  const both = webhooks([{ url }, { url: dead }], [20]);
  await Promise.all(['a', 'b', 'c'].map((id) => both.tell(row(id))));
  expect(asked.map(({ headers }) => headers['x-suremail-delivery'])).toEqual(['a', 'a', 'b', 'c']);
  const givenUp = logged.filter(({ message }) => message === 'webhook given up');
  expect(givenUp.map(({ details }) => details.item)).toEqual(['a', 'b', 'c']);
});

test('an address that is none is given up like any other', async () => {
  await webhooks([{ url: 'nonsense' }], []).tell(row('a'));
  expect(logged[0]?.details.to).toBe('no valid address');
});

test('when all ends nothing is waited for', async () => {
  manners = ['hang'];
  const one = webhooks([{ url }], [60_000]);
  const told = one.tell(row('a'));
  await expect.poll(() => asked.length).toBe(1);
  one.dispose();
  await told;
  expect(logged.map(({ message }) => message)).toEqual(['webhook given up']);
});

test('what keeps a connection from being made is named, and the address is not', async () => {
  const ended = new AbortController().signal;
  const post = (to: string) => postWebhook({ url: to }, 'item', '{}', { ended });
  const closed = http.createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await post(`http://127.0.0.1:${port}/secret`)).toBe('ECONNREFUSED');
  expect(await post(`http://localhost:${port}/secret`)).toBe('ECONNREFUSED');
  expect(await post('http://127.0.0.1:1/secret')).toBe(
    'no connection: fetch refuses its port, as browsers do',
  );
});
