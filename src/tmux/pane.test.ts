// Typing into a pane: what arrives is what was sent, and nothing arrives where it must not.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sees, TestTmux, until } from '../../test/support/tmux.js';
import { Person } from '../cli/demo/person.js';
import type { Pane } from './index.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(() => tmux.dispose());

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
const LONG = '0123456789 é中🙂\n'.repeat(10_000).slice(0, 200_000);

describe('text arrives exactly', () => {
  test.each([
    ['a leading dash', '-x'],
    ['a trailing semicolon', 'a;'],
    ['an escaped semicolon', 'a\\;'],
    ['newlines', 'one\n\ntwo\n'],
    ['emoji and CJK', '🙂👩‍👩‍👧 中文 é'],
    ['formats', '#{pane_id} #S #(touch x) %H ##'],
    ['quotes and shell', `'"$HOME" $(id) \`id\` ~ {a} \\n`],
    ['200 KB', LONG],
  ])('pasted: %s', async (_, text) => {
    const { pane, bytes } = await tmux.recorder('paste');
    expect(await pane.paste(text)).toEqual({ outcome: 'injected' });
    const expected = Buffer.from(text);
    await until(() => bytes().length >= expected.length, 'all bytes');
    expect(bytes().equals(expected)).toBe(true);
    expect(tmux.run('list-buffers')).toBe('');
  });

  test('typed: every byte there is, a leading dash and a trailing semicolon', async () => {
    const { pane, bytes } = await tmux.recorder('type');
    const data = Buffer.concat([Buffer.from('-x'), EVERY_BYTE, EVERY_BYTE, Buffer.from('a;')]);
    expect(await pane.type(data)).toEqual({ outcome: 'injected' });
    await until(() => bytes().length >= data.length, 'all bytes');
    expect(bytes()).toEqual(data);
  });

  test('brackets only where the program asked for them', async () => {
    const { pane, bytes } = await tmux.recorder('brackets', '--bracketed');
    await pane.paste('a\nb');
    await until(() => bytes().length >= 15, 'the paste');
    expect(bytes().toString()).toBe('\x1b[200~a\nb\x1b[201~');
  });

  test('a cooked terminal cuts a line at 4096 bytes, which is why long lines need a raw one', async () => {
    const { pane, bytes } = await tmux.recorder('cooked', '--cooked');
    await pane.paste('x'.repeat(6000));
    await pane.press(['Enter']);
    await until(() => bytes().includes('\n'), 'the line');
    expect(bytes().length).toBeLessThanOrEqual(4096);
  });
});

describe('nothing is typed where it must not be', () => {
  test('a dead pane: refused, and the server lives on', async () => {
    const pane = await tmux.pane(['sh', '-c', 'sleep 0.3; exit 1'], {
      options: [['-w', 'remain-on-exit', 'on']],
    });
    await until(async () => (await pane.format('#{pane_dead}')) === '1', 'the pane to die');
    const refused = { outcome: 'refused', reason: 'dead' };
    expect(await pane.paste('text')).toEqual(refused);
    expect(await pane.type('text')).toEqual(refused);
    expect(await pane.press(['Enter'])).toEqual(refused);
    expect(await pane.format('#{pane_dead}')).toBe('1');
    expect(tmux.run('list-buffers')).toBe('');
  });

  test('a pane in copy mode, also nested: refused, and the mode stays', async () => {
    const { pane, bytes } = await tmux.recorder('mode');
    tmux.run('copy-mode', '-t', pane.id);
    expect(await pane.paste('text')).toEqual({ outcome: 'refused', reason: 'in_mode' });
    tmux.run('clock-mode', '-t', pane.id);
    expect(await pane.format('#{pane_in_mode}')).toBe('2');
    expect(await pane.press(['q'])).toEqual({ outcome: 'refused', reason: 'in_mode' });
    expect(await pane.format('#{pane_in_mode}')).toBe('2');
    expect(bytes().length).toBe(0);
  });

  test("a person's split: the pane id gets the text, not the active pane", async () => {
    const { pane, bytes } = await tmux.recorder('split');
    const other = tmux.run('split-window', '-t', pane.id, '-P', '-F', '#{pane_id}', 'cat');
    expect(await pane.paste('for the agent')).toEqual({ outcome: 'injected' });
    await until(() => bytes().length > 0, 'the text');
    expect(bytes().toString()).toBe('for the agent');
    expect(tmux.run('capture-pane', '-p', '-t', other).trim()).toBe('');
  });

  test('a shell left by a program that exited: refused by the name of the foreground program', async () => {
    const pane = await tmux.pane(['sh', '-i']);
    await pane.type('sleep 0.4\r');
    const program = (): Promise<string> => pane.format('#{pane_current_command}');
    await until(async () => (await program()) === 'sleep', 'the program to run');
    expect(await pane.press(['x'], { program: 'sleep' })).toEqual({ outcome: 'injected' });
    await until(async () => (await program()) !== 'sleep', 'the program to end');
    const refused = { outcome: 'refused', reason: 'other_program' };
    expect(await pane.paste('touch /tmp/never', { program: 'sleep' })).toEqual(refused);
    expect(await pane.capture()).not.toContain('never');
  });

  test('a pane that is gone', async () => {
    const { pane } = await tmux.recorder('gone');
    tmux.run('split-window', '-t', pane.id, 'cat');
    tmux.run('kill-pane', '-t', pane.id);
    expect(await pane.paste('text')).toEqual({ outcome: 'refused', reason: 'gone' });
  });
});

describe('compare-and-inject', () => {
  const refusals: [string, (pane: Pane) => Parameters<Pane['paste']>[1], string][] = [
    ['the cursor is elsewhere', () => ({ cursor: { x: 99, y: 9 } }), 'cursor_moved'],
    ['the text is not on the screen', () => ({ visible: ['NOT THERE'] }), 'text_not_found'],
    ['a mark has another value', () => ({ mark: { name: 'SM_T', value: 'mine' } }), 'mark_changed'],
    ['another program has the foreground', () => ({ program: 'vi' }), 'other_program'],
  ];
  test.each(refusals)('refuses when %s', async (_, guard, reason) => {
    const { pane, bytes } = await tmux.recorder('cas');
    expect(await pane.paste('text', guard(pane))).toEqual({ outcome: 'refused', reason });
    expect(await pane.press(['a'], guard(pane))).toEqual({ outcome: 'refused', reason });
    expect(bytes().length).toBe(0);
  });

  test('injects when all of it holds, and sets its mark in the same breath', async () => {
    const { pane, bytes } = await tmux.recorder('cas-ok');
    const view = await pane.view();
    const guard = {
      cursor: view.cursor,
      program: view.program,
      visible: ['READY'],
      mark: { name: 'SM_T1', value: '' },
    };
    const mark = [`set-environment -h -t ${pane.id} SM_T1 done`];
    expect(await pane.paste('once', guard, mark)).toEqual({ outcome: 'injected' });
    expect(await pane.paste('twice', guard, mark)).toEqual({ outcome: 'refused', reason: 'mark_changed' });
    await until(() => bytes().length >= 4, 'the text');
    expect(bytes().toString()).toBe('once');
  });

  test.each(['a*b?[c]', '#{pane_id}, #S }', '\\back\\slash', '%H:%M $HOME "q" \'s\'', '中🙂 é'])(
    'finds %s on the screen as it is written, and not when it differs',
    async (text) => {
      const pane = await tmux.pane(['sh', '-c', `printf '%s' "$0"; exec cat`, `<${text}>`]);
      await sees(pane, `<${text}>`);
      expect(await pane.press(['a'], { visible: [`<${text}>`] })).toEqual({ outcome: 'injected' });
      expect(await pane.press(['a'], { visible: [`<${text}!`] })).toEqual({
        outcome: 'refused',
        reason: 'text_not_found',
      });
    },
  );
});

describe('reading a pane', () => {
  test('screen, scrollback, styles and joined rows', async () => {
    const script =
      'for i in $(seq 1 60); do echo line $i; done; printf "\\033[2mdim\\033[0m"; printf "%0120d" 7; exec cat';
    const pane = await tmux.pane(['sh', '-c', script]);
    await sees(pane, '00007');
    expect(await pane.capture()).not.toContain('line 3\n');
    expect(await pane.capture({ history: true })).toContain('line 3\n');
    expect(await pane.capture({ styles: true })).toContain('\x1b[2mdim');
    expect(await pane.capture()).not.toContain('0'.repeat(119));
    expect(await pane.capture({ join: true })).toContain('0'.repeat(119));
  });

  test('a view is of one moment: cursor, flags, cells with styles, program', async () => {
    const pane = await tmux.pane(['sh', '-c', 'printf "> \\033[2mtype here\\033[0m\\033[3G"; exec cat'], {
      width: 80,
      height: 24,
    });
    await sees(pane, 'type here');
    const view = await pane.view();
    expect(view).toMatchObject({
      dead: false,
      inMode: false,
      program: 'cat',
      size: { columns: 80, rows: 24 },
      clients: [{ kind: 'control' }],
    });
    expect(view.cursor).toMatchObject({ x: 2, y: 0 });
    expect(view.rows[0]?.slice(0, 4)).toEqual([
      { text: '>', width: 1, style: '' },
      { text: ' ', width: 1, style: '' },
      { text: 't', width: 1, style: '2' },
      { text: 'y', width: 1, style: '2' },
    ]);
  });

  test('waiting ends on the output that makes it true, or at the deadline', async () => {
    const pane = await tmux.pane(['cat']);
    const seen = pane.waitUntil(
      async () => ((await pane.capture()).includes('hello') ? 'yes' : undefined),
      10_000,
    );
    await pane.type('hello\n');
    expect(await seen).toEqual({ outcome: 'seen', value: 'yes' });
    expect(await pane.waitUntil(async () => undefined, 50)).toEqual({ outcome: 'deadline' });
    const bytes = pane.waitForOutput((soFar) => soFar.includes('é中'), 10_000);
    await pane.type(Buffer.from('é中\n').subarray(0, 3));
    await pane.type(Buffer.from('é中\n').subarray(3));
    expect((await bytes).outcome).toBe('seen');
  });

  test('waiting ends when the server dies', async () => {
    const own = new TestTmux();
    const pane = await own.pane(['cat']);
    const waited = pane.waitUntil(async () => undefined, 20_000);
    execFileSync('tmux', ['-L', own.name, 'kill-server']);
    expect((await waited).outcome).toBe('gone');
    own.dispose();
  });
});

test("a person's key moves their client's activity; ours do not", async () => {
  const { pane, bytes } = await tmux.recorder('activity');
  const person = await Person.attach(tmux.server.socketArgs, pane.link.sessionId);
  const terminal = async () => (await pane.view()).clients.find((client) => client.kind === 'terminal');
  const before = (await terminal())?.activity ?? 0;
  // The activity is told in whole seconds.
  await until(() => Date.now() / 1000 > before + 1.1, 'the next second');
  await pane.paste('ours');
  await pane.press(['Enter']);
  await until(() => bytes().length >= 5, 'our keys');
  expect((await terminal())?.activity).toBe(before);
  person.send('x');
  await until(() => bytes().length >= 6, "the person's key");
  expect((await terminal())?.activity).toBeGreaterThan(before);
  await person.leave();
});
