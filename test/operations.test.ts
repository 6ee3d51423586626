// Running it for a long time: figures, copies of the history, and taking all of it away again. Real daemon, real tmux.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestAgent, World } from './support/world.js';

let world: World;
let agent: TestAgent;
beforeEach(async () => {
  world = new World();
  // Settings of agents and units of systemd are this test's own.
  world.env.HOME = path.join(world.folder, 'person');
  world.env.XDG_CONFIG_HOME = path.join(world.env.HOME, '.config');
  for (const name of ['CLAUDE_CONFIG_DIR', 'GEMINI_CLI_HOME', 'CODEX_HOME', 'COPILOT_HOME'])
    delete world.env[name];
  fs.mkdirSync(world.env.HOME);
  await world.begin();
  agent = await world.agent('box', [], { name: 'api' });
});
afterEach(() => world.dispose());

const ok = async (...args: string[]): Promise<string> => {
  const ran = await world.sm(args);
  expect([ran.code, args.join(' ') + ran.stderr]).toEqual([0, expect.anything()]);
  return ran.stdout;
};

describe('/metrics', () => {
  async function scrape(
    headers: http.OutgoingHttpHeaders,
  ): Promise<{ status: number | undefined; text: string }> {
    const { url } = await world.client.status();
    return new Promise((resolve, reject) => {
      http
        .get(`${url}/metrics`, { headers, agent: false }, (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode, text }));
        })
        .on('error', reject);
    });
  }
  const bearer = () => ({
    authorization: `Bearer ${fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim()}`,
  });

  test('needs the token, and tells what was delivered and what waits', async () => {
    expect((await scrape({})).status).toBe(401);
    expect((await scrape({ ...bearer(), host: 'example.org' })).status).toBe(403);
    await world.submitted(await world.send(agent, 'hello'));
    await world.client.update('api', { paused: true });
    await world.held(await world.send(agent, 'later'), 'paused');
    const { status, text } = await scrape(bearer());
    expect(status).toBe(200);
    for (const line of [
      'suremail_queue_depth{session="api"} 1',
      'suremail_sessions{state="live"} 1',
      'suremail_receipts_total{level="queued"} 2',
      'suremail_receipts_total{level="submitted"} 1',
      'suremail_holds_total{reason="paused"} 1',
      'suremail_delivery_seconds_count{way="direct",door=""} 1',
    ])
      expect(text.split('\n')).toContain(line);
  });
});

describe('copies', () => {
  test('sm export gives each message with its events, to a pipe or a file', async () => {
    const message = await world.send(agent, 'to be exported');
    await world.submitted(message);
    const lines = (await ok('export'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ type }) => type).slice(0, 2)).toEqual(['session', 'message']);
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'message', id: message.id, text: 'to be exported' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'event', message: message.id, kind: 'submitted' }),
    );
    expect(lines.at(-1)).toMatchObject({ type: 'end', messages: 1, sessions: 1 });
    const file = path.join(world.folder, 'history.jsonl');
    await ok('export', '--since', '1h', '-o', file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toContain('to be exported');
    expect((await world.sm(['export', '-o', file])).code).toBe(4);
    await ok('export', '--since', '2999-01-01', '-o', file, '--force');
    expect(fs.readFileSync(file, 'utf8')).not.toContain('to be exported');
    expect((await world.sm(['export', '--since', 'soon'])).code).toBe(2);
  });

  test('sm backup makes a whole copy, and a daemon can go on from it', async () => {
    const message = await world.send(agent, 'to be kept');
    await world.submitted(message);
    const file = path.join(world.folder, 'copy.db');
    expect(await ok('backup', file)).toContain('1 message and 1 session are in');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const refused = await world.sm(['backup', file]);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('is there already')]);
    await ok('backup', '--force', file);
    expect((await world.sm(['backup', path.join(world.folder, 'none', 'x.db')])).code).toBe(2);
    expect((await world.sm(['backup', path.join(world.home, 'suremail.db')])).code).toBe(2);
    const copy = new Sqlite(file, { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();

    await world.send(agent, 'after it');
    await world.kill9();
    for (const end of ['', '-wal', '-shm'])
      fs.rmSync(path.join(world.home, `suremail.db${end}`), { force: true });
    fs.copyFileSync(file, path.join(world.home, 'suremail.db'));
    await world.startDaemon();
    expect((await world.client.messages()).map(({ text }) => text)).toEqual(['to be kept']);
    expect((await world.client.session('api')).state).toBe('live');
  });
});

describe('sm uninstall', () => {
  const settings = (): string => path.join(world.env.HOME ?? '', '.claude', 'settings.json');

  test('says what there is, and without a yes nothing is removed', async () => {
    const ran = await world.sm(['uninstall'], { input: '' });
    expect([ran.code, ran.stdout]).toEqual([4, '']);
    expect(ran.stderr).toContain('nobody is here to be asked');
    expect((await world.client.status()).pid).toBe(world.pid);
    expect(await ok('uninstall', '--dry-run')).toContain('These run on, without mail: api');
  });

  test('leaves no trace in settings, tmux and on disk, and the panes run on', async () => {
    const before = '{ "model": "opus" }\n';
    fs.mkdirSync(path.dirname(settings()), { recursive: true });
    fs.writeFileSync(settings(), before);
    await ok('hooks', 'install', 'claude');
    expect(fs.readFileSync(settings(), 'utf8')).toContain(world.home);
    await world.submitted(await world.send(agent, 'hello'));
    fs.writeFileSync(path.join(world.home, 'config.yaml'), 'past_draft: never\n');
    expect(world.tmux('show-environment', '-g', '-h')).toContain('SM_AT_');

    const done = JSON.parse(await ok('uninstall', '--yes', '--json'));
    expect(done).toMatchObject({
      hooks: [settings()],
      sessions: ['api'],
      left: [path.join(world.home, 'config.yaml')],
    });
    expect(fs.readFileSync(settings(), 'utf8')).toBe(before);
    expect(world.tmux('show-environment', '-g', '-h')).not.toMatch(/^SM(?:_AT_|HOLD_)/m);
    expect(world.tmux('list-keys')).not.toContain('smhold-');
    expect(world.tmux('list-buffers')).not.toContain('sm-');
    expect(world.tmux('show-options', '-p', '-t', agent.session.pane)).not.toContain('remain-on-exit');
    expect(world.tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_dead}')).toContain(
      `${agent.session.pane} 0`,
    );
    expect(fs.readdirSync(world.home)).toEqual(['config.yaml']);
  });

  test('settings that are not understood: nothing is removed', async () => {
    fs.mkdirSync(path.dirname(settings()), { recursive: true });
    await ok('hooks', 'install', 'claude');
    fs.writeFileSync(settings(), '{ not json');
    const ran = await world.sm(['uninstall', '--yes']);
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining('is not understood')]);
    expect((await world.client.status()).pid).toBe(world.pid);
    expect(fs.existsSync(path.join(world.home, 'suremail.db'))).toBe(true);
  });
});
