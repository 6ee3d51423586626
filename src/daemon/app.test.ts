// The application without a daemon: /metrics beside the API and guarded like it, the export, and what a backup refuses.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Signal } from '../signals/index.js';
import { History } from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { type AppDeps, createApp } from './app.js';
import { doorkeeper } from './auth.js';
import { Metrics } from './metrics.js';

let desk: MailDesk;
let folder: string;
let app: ReturnType<typeof createApp>;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sma-'));
  desk = await MailDesk.open();
  const metrics = new Metrics({
    version: '1.2.3',
    startedAt: 0,
    ledger: desk.ledger,
    signals: { onSignal: new Emitter<Signal>().event },
    queues: () => [['api', 3]],
    sessions: () => ({}),
    openDrafts: () => 0,
  });
  const ops = { history: new History(desk.store), database: path.join(folder, 'suremail.db') };
  // What other endpoints need is not here.
  const office = { ledger: desk.ledger };
  const deps = {
    admit: doorkeeper('secret'),
    metrics,
    ops,
    office,
    people: {},
    agents: {},
    signIn: {},
    pages: path.join(folder, 'web'),
    log: () => {},
  };
  app = createApp(deps as unknown as AppDeps);
});
afterEach(async () => {
  await desk.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const TCP = { via: 'tcp', port: 4747, address: '127.0.0.1' } as const;
const ask = async (where: string, options: RequestInit, via: typeof TCP | { via: 'socket' } = TCP) => {
  const headers = { host: '127.0.0.1:4747', ...options.headers };
  const response = await app.fetch(
    new Request(`http://127.0.0.1:4747${where}`, { ...options, headers }),
    via,
  );
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const bearer = { authorization: 'Bearer secret' };

test('/metrics is for whoever has the token, or the socket', async () => {
  expect((await ask('/metrics', {})).status).toBe(401);
  expect((await ask('/metrics', { headers: { authorization: 'Bearer other' } })).status).toBe(401);
  expect((await ask('/metrics', { headers: { ...bearer, host: 'example.org' } })).status).toBe(403);
  const answer = await ask('/metrics', { headers: bearer });
  expect(answer).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
  expect(answer.text).toContain('suremail_queue_depth{session="api"} 3');
  expect((await ask('/metrics', {}, { via: 'socket' })).status).toBe(200);
});

test('what is neither is not found, and the API is guarded as before', async () => {
  expect((await ask('/elsewhere', { headers: bearer })).status).toBe(404);
  expect((await ask('/api/v1/export', {})).status).toBe(401);
});

test('/export: lines, and a time that is none is refused', async () => {
  await desk.message({ createdAt: 5000, text: 'hello' });
  const answer = await ask('/api/v1/export', { headers: bearer });
  expect(answer).toMatchObject({ status: 200, type: 'application/jsonl; charset=utf-8' });
  expect(answer.text.trim().split('\n').at(-1)).toBe(
    '{"type":"end","sessions":1,"messages":1,"events":1,"signals":0}',
  );
  const late = await ask('/api/v1/export?since=2001-01-01T00:00:00%2B02:00', { headers: bearer });
  expect(late.text).not.toContain('hello');
  const wrong = await ask('/api/v1/export?since=soon', { headers: bearer });
  expect([wrong.status, JSON.parse(wrong.text).error]).toEqual([
    400,
    expect.objectContaining({
      field: 'since',
      value: 'soon',
      expected: expect.stringContaining('must be a time'),
    }),
  ]);
});

test('/backup: a place that will not do is named', async () => {
  const refused = async (file: string, more = {}) => {
    const headers = { ...bearer, 'content-type': 'application/json' };
    const body = JSON.stringify({ file, ...more });
    const { status, text } = await ask('/api/v1/backup', { method: 'POST', headers, body });
    return [status, JSON.parse(text).error.message];
  };
  const there = path.join(folder, 'there.db');
  fs.writeFileSync(there, 'mine');
  expect(await refused('copy.db')).toEqual([400, 'copy.db is no whole path']);
  expect(await refused(path.join(folder, 'none', 'x'))).toEqual([400, `there is no folder ${folder}/none`]);
  expect(await refused(folder)).toEqual([400, `${folder} is no file`]);
  expect(await refused(there)).toEqual([409, `${there} is there already`]);
  const own = path.join(folder, 'suremail.db');
  expect(await refused(own, { replace: true })).toEqual([400, `${own} is the database itself`]);
  expect(await refused(`${own}-wal`)).toEqual([400, `${own}-wal is the database itself`]);
  expect(fs.readFileSync(there, 'utf8')).toBe('mine');
});
