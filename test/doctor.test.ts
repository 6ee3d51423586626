// The doctor and the configuration as a user meets them: what is well, what is not, and what to do.
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConfigReport, DoctorReport } from '../src/api/types.js';
import { insertDraft, type NewDraft } from '../src/store/index.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

let world: World;
const config = (): string => path.join(world.home, 'config.yaml');
beforeEach(() => {
  world = new World();
  world.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keep', 'cat');
  fs.mkdirSync(world.home, { mode: 0o700 });
});
afterEach(() => world.dispose());

const doctor = async (code: number): Promise<DoctorReport> => {
  const ran = await world.sm(['doctor', '--json']);
  expect([ran.code, ran.stderr]).toEqual([code, '']);
  return JSON.parse(ran.stdout) as DoctorReport;
};

const draftOf = (session: string): NewDraft => ({
  id: 'd00100000000',
  session_id: session,
  session_name: 'api',
  message_id: null,
  attempt: 0,
  protocol: 'editor',
  text: 'half a thought',
  caret: null,
  exact: 1,
  state: 'differs',
  proof: null,
  found: 'else',
  held_ms: null,
  created_at: 1,
  updated_at: Date.now(),
});
function execute(sql: string, ...values: readonly (string | number | null)[]): void {
  const database = new Sqlite(path.join(world.home, 'suremail.db'), { timeout: 10_000 });
  database.prepare(sql).run(...values);
  database.close();
}
function save(row: NewDraft): void {
  const { sql, values } = insertDraft(row);
  execute(sql, ...values);
}

describe('sm doctor', () => {
  test('tries the hold, names the ways in of each session, and says that nothing is wrong', async () => {
    await world.startDaemon();
    const agent = await world.agent('box', [], { name: 'api' });
    await world.client.update('api', { past_draft: 'stale' });
    const report = await doctor(0);
    expect(report).toMatchObject({
      ok: true,
      daemon: { pid: world.pid, home: world.home },
      tmux: { supported: true },
      hold: { state: 'works' },
      database: { file: path.join(world.home, 'suremail.db'), state: 'works' },
      config: { exists: false, state: 'good' },
      sessions: [{ id: agent.session.id, name: 'api', state: 'live', past_draft: 'stale' }],
    });
    expect(report.tmux.version).toMatch(/^tmux /);
    expect(report.sessions[0]?.ways[0]).toMatchObject({ protocol: 'direct', keys: ['Enter'] });
    const text = (await world.sm(['doctor'])).stdout;
    for (const part of [report.tmux.version, 'keys wait, and come out in order', 'api: ', 'direct'])
      expect(text).toContain(part);
    expect(text).toMatch(/nothing needs your attention\n$/);
  });

  test('an agent that could hand over its drafts, had it been started with our editor', async () => {
    await world.startDaemon();
    const pane = world.tmux('new-window', '-P', '-F', '#{pane_id}', '-t', 'keep:', 'cat');
    await world.client.adopt({ target: pane, socket: world.socket, name: 'adopted', agent: 'claude' });
    await world.agent('woken/cli', [], { name: 'started', agent: 'claude' });
    const { findings, sessions } = await doctor(0);
    expect(findings).toEqual([
      expect.objectContaining({ level: 'note', about: 'adopted', advice: expect.stringContaining('sm new') }),
    ]);
    const ways = sessions.map(({ name, ways }) => [name, ways.map(({ protocol }) => protocol)]);
    expect(ways).toEqual([
      ['adopted', expect.not.arrayContaining(['editor'])],
      ['started', expect.arrayContaining(['direct', 'editor'])],
    ]);
  });

  test('a configuration that is refused needs attention; one that is right holds at once', async () => {
    await world.startDaemon();
    fs.writeFileSync(config(), 'past_draft: never\n');
    expect((await doctor(0)).config).toMatchObject({ exists: true, state: 'good' });
    fs.writeFileSync(config(), '\npast_draft: sometimes\n');
    const ran = await world.sm(['doctor']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(`${config()}:2: past_draft "sometimes": must be auto, now, stale or never`);
    expect(ran.stdout).toContain('the last good one holds');
    expect(ran.stdout).toContain('1 thing needs your attention');
    const status = await world.sm(['status']);
    expect([status.code, status.stdout]).toEqual([
      0,
      expect.stringMatching(/config +refused, .*"sometimes"/),
    ]);
  });

  test('a file of an agent that is new, would be refused, or is not read', async () => {
    await world.startDaemon();
    const agents = path.join(world.home, 'agents');
    fs.mkdirSync(agents);
    fs.writeFileSync(path.join(agents, 'scribe.yml'), 'title: Scribe\n');
    fs.writeFileSync(path.join(agents, 'notes.txt'), 'none');
    expect((await doctor(1)).findings).toEqual([
      expect.objectContaining({
        level: 'problem',
        about: 'agents',
        message: `${agents} has changed since the daemon read it`,
      }),
      expect.objectContaining({ level: 'note', message: `${agents}/notes.txt is not read` }),
    ]);
    fs.writeFileSync(path.join(agents, 'scribe.yml'), 'stash: { key: s, taken: x }\n');
    expect((await doctor(1)).findings).toMatchObject([
      {
        level: 'problem',
        about: 'agents',
        message: expect.stringMatching(/scribe\.yml: stash\.key "s": must be .*; the last good files of/),
      },
    ]);
  });

  test('how it stands with the trial of the keys of a program without a profile', async () => {
    await world.startDaemon();
    const start = (name: string, ...command: string[]) =>
      world.client.start({ command, socket: world.socket, name, cwd: world.folder });
    fs.writeFileSync(path.join(world.folder, 'app.mjs'), 'process.stdin.resume()');
    await start('file', process.execPath, 'app.mjs');
    await start('code', process.execPath, '-e', 'process.stdin.resume()');
    const pane = world.tmux('new-window', '-P', '-F', '#{pane_id}', '-t', 'keep:', 'cat');
    await world.client.adopt({ target: pane, socket: world.socket, name: 'adopted' });
    const advice = (await doctor(0)).findings.map(({ about, advice }) => [about, advice]);
    expect(Object.fromEntries(advice)).toEqual({
      file: expect.stringContaining('have not been tried yet'),
      code: expect.stringContaining('does not tell its file'),
      adopted: expect.stringContaining('because it was adopted'),
    });
  });

  test('a draft that is not known to be back, a program that has ended, a daemon of another version', async () => {
    await world.startDaemon();
    const agent = await world.agent('box', [], { name: 'api' });
    const row = draftOf(agent.session.id);
    save(row);
    const missing = (await doctor(1)).findings.find(({ level }) => level === 'problem');
    expect(missing).toMatchObject({
      about: 'api',
      advice: expect.stringContaining('sm drafts restore d001'),
    });
    expect(missing?.message).not.toContain('half a thought');
    await world.client.copyDraft(row.id);
    await doctor(0);

    world.tmux('send-keys', '-t', agent.session.pane, 'C-c', 'C-c');
    await expect
      .poll(async () => (await world.client.session('api')).state, { timeout: 10_000 })
      .toMatch(/ended|gone/);
    const notes = (await doctor(0)).findings.map(({ level, about, advice }) => [level, about, advice]);
    expect(notes).toContainEqual(['note', 'api', expect.stringContaining('sm kill api')]);

    const other = await world.client.doctor('99.0.0');
    expect(other.ok).toBe(false);
    expect(other.findings[0]).toMatchObject({ about: 'daemon', advice: expect.stringContaining('sm up') });
  });

  test('a draft of a session that was removed', async () => {
    await world.startDaemon();
    const agent = await world.agent('box', [], { name: 'api' });
    const rows = ['d00100000000', 'd00200000000'].map((id) => ({ ...draftOf(agent.session.id), id }));
    for (const row of rows) save(row);
    save({ ...draftOf(agent.session.id), id: 'd00300000000', state: 'restored' });
    expect((await world.sm(['kill', 'api'])).code).toBe(0);
    expect((await doctor(1)).findings).toEqual([
      {
        level: 'problem',
        about: 'api',
        message: expect.stringMatching(/^2 drafts are kept of this session, which is no more/),
        advice: expect.stringContaining('sm drafts copy d00100000000'),
      },
    ]);
    for (const { id } of rows) await world.client.copyDraft(id);
    await doctor(0);
  });

  test('a database that cannot be written, or is no longer where it was', async () => {
    await world.startDaemon();
    const file = path.join(world.home, 'suremail.db');
    const found = { level: 'problem', about: 'database' };
    execute(`CREATE TRIGGER full BEFORE INSERT ON meta BEGIN SELECT RAISE(ABORT, 'disk is full'); END`);
    expect(await doctor(1)).toMatchObject({
      database: { file, state: 'fails' },
      findings: [{ ...found, message: 'it cannot be written: disk is full' }],
    });
    expect((await world.sm(['doctor'])).stdout).toMatch(/^!! +database +.*disk is full$/m);
    execute('DROP TRIGGER full');
    await doctor(0);
    fs.renameSync(file, `${file}.moved`);
    expect((await doctor(1)).findings).toMatchObject([found]);
    fs.renameSync(`${file}.moved`, file);
    await doctor(0);
  });

  test('an old tmux', async () => {
    // Answers for its version only; all else is the real one.
    const bin = path.join(world.folder, 'bin');
    fs.mkdirSync(bin);
    const real = (process.env.PATH ?? '')
      .split(':')
      .find((folder) => fs.existsSync(path.join(folder, 'tmux')));
    const fake = `#!/bin/sh\nfor word; do [ "$word" = -V ] && echo tmux 2.9a && exit; done\nexec '${real}/tmux' "$@"\n`;
    fs.writeFileSync(path.join(bin, 'tmux'), fake, { mode: 0o755 });
    world.env.PATH = `${bin}:${process.env.PATH}`;
    await world.startDaemon();
    expect(await doctor(1)).toMatchObject({
      tmux: { version: 'tmux 2.9a', supported: false },
      hold: { state: 'untried' },
      findings: [{ about: 'tmux', message: 'tmux 2.9a is too old', advice: 'install tmux 3.3 or newer' }],
    });
  });
});

describe('the configuration', () => {
  test('sm config tells what holds and where it comes from', async () => {
    fs.writeFileSync(config(), 'past_draft: never\n\nsm_send:\n  input_stale_timeout: 90\n');
    await world.startDaemon();
    const report = JSON.parse((await world.sm(['config', '--json'])).stdout) as ConfigReport;
    expect(report).toMatchObject({ file: config(), exists: true, state: 'good', problem: null });
    const find = (key: string) => report.values.find((value) => value.key === key);
    expect(find('past_draft')).toMatchObject({ value: 'never', from: 'file', line: 1 });
    expect(find('input_stale_timeout')).toMatchObject({ value: '90s', from: 'file', line: 4 });
    expect(find('draft_retention')).toMatchObject({ value: '30d', from: 'default', line: null });
    expect(find('port')).toMatchObject({ from: 'environment', value: expect.any(Number) });
    const { stdout, stderr } = await world.sm(['config']);
    expect(stdout).toMatch(/past_draft +never +config\.yaml:1/);
    expect(stdout).toMatch(/input_stale_timeout +90s +config\.yaml:4/);
    expect(stdout).toMatch(/port +\d+ +environment/);
    expect(stderr).toBe('');
  });

  test('a change holds without a restart; a bad one changes nothing, and is told', async () => {
    await world.startDaemon();
    const value = async (): Promise<unknown> =>
      (await world.client.config()).values.find(({ key }) => key === 'past_draft')?.value;
    fs.writeFileSync(config(), 'past_draft: never\n');
    // Told by the file system, without anybody asking.
    await until(
      () => fs.readFileSync(path.join(world.home, 'daemon.log'), 'utf8').includes('configuration read'),
      'the daemon to read it',
    );
    expect(await value()).toBe('never');
    fs.writeFileSync(config(), 'past_draft: sometimes\n');
    const bad = await world.sm(['config']);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringMatching(/past_draft +never +config\.yaml:1/)]);
    expect(bad.stderr).toContain(`${config()}:1: past_draft "sometimes"`);
    // The last good one also serves the next start.
    expect((await world.sm(['down'])).code).toBe(0);
    expect((await world.sm(['up'])).code).toBe(0);
    expect(await value()).toBe('never');
    expect((await world.client.status()).config_problem).toContain('"sometimes"');
    fs.rmSync(config());
    expect(await value()).toBe('auto');
    expect((await world.client.status()).config_problem).toBeNull();
    expect((await world.sm(['down'])).code).toBe(0);
  });

  test('what is wrong with it keeps the daemon from starting, and sm up says it in one sentence', async () => {
    fs.writeFileSync(config(), 'hold_maximum: 3s\n');
    const ran = await world.sm(['up']);
    expect([ran.code, ran.stdout]).toEqual([5, '']);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    expect(ran.stderr).toContain(`cannot start the daemon: ${config()}:1: there is no key "hold_maximum"`);
    expect(ran.stderr).toContain('hold_max, ');
    expect(fs.existsSync(path.join(world.home, 'suremail.db'))).toBe(false);
    // Any command that needs the daemon says the same.
    expect((await world.sm(['ls'])).stderr).toBe(ran.stderr);
    fs.writeFileSync(config(), 'hold_max: 3s\n');
    expect((await world.sm(['up'])).code).toBe(0);
    expect((await world.sm(['down'])).code).toBe(0);
  });

  test('the time that drafts are kept is the one that is set', async () => {
    fs.writeFileSync(config(), 'draft_retention: 1h\n');
    await world.startDaemon();
    const values = (await world.client.config()).values;
    expect(values.find(({ key }) => key === 'draft_retention')).toMatchObject({ value: '1h', from: 'file' });
  });
});
