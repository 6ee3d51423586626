// What names nothing is no such thing; it never becomes another path.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Client } from './client.js';

const client = new Client({ socket: '/nowhere/sm.sock' });

test.each<[string, string, (ref: string) => Promise<unknown>]>([
  ['session', 'session', client.session],
  ['kill', 'session', client.kill],
  ['update', 'session', (ref) => client.update(ref, { paused: true })],
  ['output', 'session', (ref) => client.output(ref, { follow: true })],
  ['message', 'message', client.message],
  ['cancel', 'message', client.cancel],
  ['wait', 'message', client.wait],
  ['draft', 'draft', client.draft],
  ['restoreDraft', 'draft', client.restoreDraft],
  ['waitForSession', 'session', client.waitForSession],
  ['children', 'session', client.children],
  ['changeGroup', 'group', (ref) => client.changeGroup(ref, {})],
  ['agent', 'agent', client.agent],
  ['hooks', 'agent', (ref) => client.hooks(ref, 'status', {})],
])('%s', async (_, field, ask) => {
  for (const value of ['', '.', '..'])
    await expect(ask(value)).rejects.toMatchObject({
      status: 404,
      detail: { code: 'not_found', message: `no such ${field}: "${value}"`, field, value },
    });
  // These are names: the daemon is asked.
  for (const value of ['a', '...', '.a', '/'])
    await expect(ask(value)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([
  ['', 'the daemon answered 500 without a word; "sm logs" may say why'],
  ['<html>', 'the daemon answered 500 and no JSON: <html>'],
])('an answer that is no JSON: "%s"', async (text, message) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smc-'));
  const socket = path.join(folder, 's');
  const server = http.createServer((_, response) => response.writeHead(500).end(text));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  try {
    await expect(new Client({ socket }).status()).rejects.toMatchObject({ status: 500, message });
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test('what is larger than the daemon takes is not sent, and the largest field is named', async () => {
  const text = 'x'.repeat(8 * 1024 * 1024);
  await expect(client.send({ to: ['a'], text })).rejects.toMatchObject({
    status: 413,
    detail: { code: 'too_large', field: 'text', expected: expect.stringContaining('1048576') },
  });
  // One that is not goes out, and here nobody answers.
  await expect(client.send({ to: ['a'], text: text.slice(100) })).rejects.toMatchObject({ code: 'ENOENT' });
});
