// The hold, with real clients on real terminals: no key reaches the agent during it, all arrive after it, in order.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasOpener } from '../src/tmux/hold-table.js';
import { findHold } from '../src/tmux/index.js';
import { arrives, freshToken, HoldStage, PACE, settled } from './support/hold.js';
import { until } from './support/tmux.js';

const stage = new HoldStage();
let opens = false;
beforeAll(async () => {
  const { pane } = await stage.recorder('version');
  opens = hasOpener(await pane.format('#{version}'));
});
afterEach(() => stage.tidy());
afterAll(() => stage.dispose());

// So long tmux 3.5 and newer keep an Escape whose terminal has not answered their questions, as a test's never does: 500 ms.
const ESCAPE_KEPT_MS = 700;

describe('keys', () => {
  it('wait during the hold and arrive after it, in order', async () => {
    const agent = await stage.recorder('order');
    const person = await stage.person(agent.pane.link.sessionId);
    person.send('before ');
    await arrives(agent, 'before ');
    const hold = await stage.hold(agent.pane);
    person.send('héld 中 \x1b[A\x1b[15~\x01\x7f');
    await settled();
    expect(agent.bytes().toString()).toBe('before ');
    const released = await hold.release();
    expect(released).toMatchObject({ by: 'us', keys: 11, vanished: 0 });
    person.send('after');
    await arrives(agent, 'before héld 中 \x1b[A\x1b[15~\x01\x7fafter');
    expect(stage.traces()).toBe('');
  });

  it('pressed while others are let through come after those', async () => {
    const agent = await stage.recorder('during-release');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane, { pace: { stepMs: 20, enterMs: 40 } });
    person.send('0123456789');
    await settled();
    const releasing = hold.release();
    let sent = '0123456789';
    for (const key of 'abcdefghij\r') {
      person.send(key);
      sent += key;
      await settled(15);
    }
    await releasing;
    person.send('Z');
    await arrives(agent, `${sent}Z`);
    expect(stage.traces()).toBe('');
  });

  it('of two clients both wait', async () => {
    const agent = await stage.recorder('two');
    const one = await stage.person(agent.pane.link.sessionId);
    const two = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    for (const key of 'abcdef') {
      one.send(key);
      two.send(key.toUpperCase());
    }
    await settled();
    expect(agent.bytes().length).toBe(0);
    expect((await hold.release()).keys).toBe(12);
    await settled();
    const text = agent.bytes().toString();
    expect(text.replace(/[^a-z]/g, '')).toBe('abcdef');
    expect(text.replace(/[^A-Z]/g, '')).toBe('ABCDEF');
  });

  it('of a client that attaches during the hold wait too', async () => {
    const agent = await stage.recorder('newcomer', '--bracketed');
    const hold = await stage.hold(agent.pane);
    const person = await stage.person(agent.pane.link.sessionId);
    await settled();
    person.send('late');
    person.paste('pasted');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, 'late\x1b[200~pasted\x1b[201~');
    expect(stage.traces()).toBe('');
  });

  it('of a client that vanished while it waited do not hang the release', async () => {
    const agent = await stage.recorder('vanished');
    const gone = await stage.person(agent.pane.link.sessionId);
    const stays = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    gone.send('x');
    await settled();
    await gone.leave();
    stays.send('abc');
    await settled();
    const released = await hold.release();
    expect(released.by).toBe('us');
    expect(released.vanished).toBe(1);
    stays.send('d');
    await arrives(agent, 'abcd');
    expect(stage.traces()).toBe('');
  });

  it('are paced, and an Enter among them has its time before and after', async () => {
    const agent = await stage.recorder('pace');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane, { pace: { stepMs: 10, enterMs: 150 } });
    person.send('abcdefghij\rk');
    await settled();
    const from = Date.now();
    const released = hold.release();
    // Seen late on a busy machine, never early: ten steps, then the time before Enter, then the time after it.
    const seen = async (key: string): Promise<number> => {
      await until(() => agent.bytes().includes(key), JSON.stringify(key));
      return Date.now() - from;
    };
    expect(await seen('j')).toBeGreaterThanOrEqual(85);
    expect(await seen('\r')).toBeGreaterThanOrEqual(235);
    expect(await seen('k')).toBeGreaterThanOrEqual(380);
    await released;
  });

  it.each<[string, string[], number]>([
    ['wait for the one before to be shown, where the program has to keep up', ['--late'], 5000],
    ['do not wait for ever for one that is not shown', [], 50],
  ])('%s', async (_what, flags, echoMs) => {
    const agent = await stage.recorder(`echo-${echoMs}`, ...flags);
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane, { pace: { stepMs: 0, enterMs: 0, echoMs } });
    person.send('abcdefgh');
    await settled();
    await hold.release();
    await arrives(agent, 'abcdefgh');
  });

  it('of all kinds come exact and in order where letters are not waited for', async () => {
    const agent = await stage.recorder('letters', '--echo');
    const person = await stage.person(agent.pane.link.sessionId);
    const pace = { stepMs: 2, enterMs: 10, echoMs: 20, textMs: 1 };
    const hold = await stage.hold(agent.pane, { pace });
    const others = ['é', '中', '\x1b[D', '\x7f', ';', '"', '#', "'", '{', '$', '~', ' ', '\r'];
    // Each of them behind letters, behind one of its own and before letters.
    const keys = Array.from({ length: 200 }, (_, i) =>
      i % 4 === 3 || i % 28 === 4
        ? (others[Math.floor(i / 4) % others.length] as string)
        : String.fromCharCode(97 + (i % 26)),
    );
    for (let at = 0; at < keys.length; at += 25) person.send(keys.slice(at, at + 25).join(''));
    await settled();
    expect(agent.bytes().length).toBe(0);
    expect(await hold.release()).toMatchObject({ by: 'us', keys: 200, vanished: 0 });
    await arrives(agent, keys.join(''));
    expect(stage.traces()).toBe('');
  });

  it('are all to be seen once a release is over, also letters that are not waited for', async () => {
    const agent = await stage.recorder('letters-late', '--late');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane, { pace: { stepMs: 0, enterMs: 0, echoMs: 1000, textMs: 1 } });
    person.send('abcdefgh');
    await settled();
    await hold.release();
    expect(stage.tmux.run('capture-pane', '-p', '-t', agent.pane.id)).toContain('abcdefgh');
    // Those that came before the one before them was shown are marked.
    await arrives(agent, 'ab!c!d!e!f!g!h');
  });

  it('that the user has bound do what they do, letters too', async () => {
    const agent = await stage.recorder('letters-bound');
    const person = await stage.person(agent.pane.link.sessionId);
    stage.tmux.run('bind-key', '-n', 'b', 'send-keys', '-l', '<bound>');
    const hold = await stage.hold(agent.pane, { pace: { stepMs: 1, enterMs: 10, echoMs: 20, textMs: 1 } });
    person.send('abc');
    await settled();
    await hold.release();
    stage.tmux.run('unbind-key', '-n', 'b');
    await arrives(agent, 'a<bound>c');
  });

  it.each([
    ['letters are told from other keys', { stepMs: 1, enterMs: 10, echoMs: 50, textMs: 1 }, []],
    ['the user has long bindings', PACE, ['x'.repeat(900)]],
  ])(
    'what is asked of tmux right behind the beginning is answered rightly: %s',
    async (_what, pace, texts) => {
      const agent = await stage.recorder('answers', '--echo');
      for (const text of texts) stage.tmux.run('bind-key', '-n', 'F11', 'display-message', text);
      const person = await stage.person(agent.pane.link.sessionId);
      const before = await agent.pane.view();
      for (let i = 0; i < 5; i++) {
        const hold = await stage.hold(agent.pane, { pace });
        const [now, format] = await Promise.all([agent.pane.view(), agent.pane.format('#{pane_id}')]);
        expect([now.clients.length, now.pid, format]).toEqual([
          before.clients.length,
          before.pid,
          agent.pane.id,
        ]);
        person.send('x');
        await hold.release();
      }
      if (texts.length > 0) stage.tmux.run('unbind-key', '-n', 'F11');
    },
  );

  it('after an Escape wait until nobody takes the two for one key with Alt', async () => {
    const agent = await stage.recorder('escape');
    stage.tmux.run('set-option', '-s', 'escape-time', '10');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    person.send('\x1b');
    await settled(ESCAPE_KEPT_MS);
    person.send('x');
    await settled();
    const from = Date.now();
    const released = hold.release();
    await until(() => agent.bytes().includes('x'), 'the key behind it');
    expect(Date.now() - from).toBeGreaterThanOrEqual(55);
    await released;
    await arrives(agent, '\x1bx');
  });

  it('of many lines at once come whole', async () => {
    const agent = await stage.recorder('run', '--bracketed');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane, { pace: { stepMs: 12, enterMs: 150 } });
    const text = Array.from({ length: 40 }, (_, i) => `line ${i} of a longer text`).join('\r');
    person.paste(text);
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, `\x1b[200~${text}\x1b[201~`);
  });
});

describe('what else a person does', () => {
  it.each(['plain', 'bracketed'])('a paste waits (%s)', async (kind) => {
    const agent = await stage.recorder(`paste-${kind}`, `--${kind}`);
    const person = await stage.person(agent.pane.link.sessionId);
    const paste = (): void => {
      person.paste('first\rpaste');
      person.send('x');
      person.paste('second');
    };
    paste();
    await until(() => agent.bytes().includes('second'), 'the paste without a hold');
    await settled();
    const once = agent.bytes().toString();
    const hold = await stage.hold(agent.pane);
    paste();
    await settled();
    expect(agent.bytes().toString()).toBe(once);
    await hold.release();
    await arrives(agent, once + once);
  });

  it('a prefix command waits behind a key, and is carried out after it', async () => {
    const agent = await stage.recorder('prefix');
    const session = agent.pane.link.sessionId;
    const person = await stage.person(session);
    const windows = (): string => stage.tmux.run('list-windows', '-t', session, '-F', '#{window_id}');
    const hold = await stage.hold(agent.pane);
    person.send('a\x02c');
    await settled();
    expect(windows().split('\n')).toHaveLength(1);
    await hold.release();
    await until(() => windows().split('\n').length === 2, 'a new window');
    await arrives(agent, 'a');
    expect(stage.traces()).toBe('');
  });

  it('a prefix pressed first waits too: what it types does not reach the agent', async () => {
    const agent = await stage.recorder('prefix-first');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    person.send('\x02\x02x\x02\x02y');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, '\x02x\x02y');
    expect(stage.traces()).toBe('');
  });

  it('copy mode entered from within the keys gets the keys behind it', async () => {
    const agent = await stage.recorder('copy');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    person.send('a\x02[');
    await settled();
    expect(await agent.pane.format('#{pane_in_mode}')).toBe('0');
    await hold.release();
    await until(async () => (await agent.pane.format('#{pane_in_mode}')) === '1', 'copy mode');
    person.send('qb');
    await arrives(agent, 'ab');
  });

  it('keys in a mode that begins during the hold are not held', async () => {
    const agent = await stage.recorder('mode');
    const person = await stage.person(agent.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    stage.tmux.run('copy-mode', '-t', agent.pane.id);
    if (!opens) {
      person.send('q');
      await until(async () => (await agent.pane.format('#{pane_in_mode}')) === '0', 'the mode left');
    } else stage.tmux.run('send-keys', '-X', '-t', agent.pane.id, 'cancel');
    await hold.release();
    person.send('z');
    await arrives(agent, 'z');
  });

  it("the user's own bindings are carried out, in order", async () => {
    const agent = await stage.recorder('own-bindings');
    const person = await stage.person(agent.pane.link.sessionId);
    stage.tmux.run('bind-key', '-n', 'M-x', 'send-keys', '-l', '<bound>', '\\;', 'send-keys', '-l', '!');
    const hold = await stage.hold(agent.pane);
    person.send('a\x1bxb');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, 'a<bound>!b');
    stage.tmux.run('unbind-key', '-n', 'M-x');
  });
});

it('the mouse waits too, and then does what it did', async () => {
  const agent = await stage.recorder('mouse');
  stage.tmux.run('set-option', '-t', agent.pane.link.sessionId, 'mouse', 'on');
  const person = await stage.person(agent.pane.link.sessionId);
  const hold = await stage.hold(agent.pane);
  person.send('a\x1b[<64;5;5M');
  await settled();
  expect(await agent.pane.format('#{pane_in_mode}')).toBe('0');
  await hold.release();
  await until(async () => (await agent.pane.format('#{pane_in_mode}')) === '1', 'the wheel opens copy mode');
  person.send('qb');
  await arrives(agent, 'ab');
  expect(stage.traces()).toBe('');
});

describe('only those at the pane', () => {
  it('another pane and another window of the session get their keys at once', async () => {
    const agent = await stage.recorder('agent-pane');
    const session = agent.pane.link.sessionId;
    const person = await stage.person(session);
    const other = stage.tmux.run('split-window', '-t', agent.pane.id, '-P', '-F', '#{pane_id}', 'cat');
    const shows = (text: string): Promise<unknown> =>
      until(() => stage.tmux.run('capture-pane', '-p', '-t', other).includes(text), text, 3000);
    const hold = await stage.hold(agent.pane);
    person.send('split-keys');
    await shows('split-keys');
    // The prefix as well, and what follows it.
    person.send('\x02\x02!');
    await shows('^B!');
    stage.tmux.run('select-pane', '-t', agent.pane.id);
    person.send('agent');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, 'agent');
    const window = stage.tmux.run('new-window', '-t', session, '-P', '-F', '#{pane_id}', 'cat');
    const again = await stage.hold(agent.pane);
    person.send('window-keys');
    await until(
      () => stage.tmux.run('capture-pane', '-p', '-t', window).includes('window-keys'),
      'keys',
      3000,
    );
    await again.release();
    expect(stage.traces()).toBe('');
  });

  it('a session group is held as a whole', async () => {
    const agent = await stage.recorder('group');
    const twin = stage.tmux.run(
      'new-session',
      '-d',
      '-t',
      agent.pane.link.sessionId,
      '-P',
      '-F',
      '#{session_id}',
    );
    const one = await stage.person(agent.pane.link.sessionId);
    const two = await stage.person(twin);
    const hold = await stage.hold(agent.pane);
    one.send('1');
    two.send('2');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await until(() => agent.bytes().length === 2, 'both keys');
    expect(stage.traces()).toBe('');
    stage.tmux.run('kill-session', '-t', twin);
  });

  it('a linked window is held in every session that shows it', async () => {
    const agent = await stage.recorder('linked');
    const other = await stage.recorder('linked-other');
    stage.tmux.run('link-window', '-s', agent.pane.id, '-t', `${other.pane.link.sessionId}:`);
    stage.tmux.run('select-window', '-t', `${other.pane.link.sessionId}:{end}`);
    const person = await stage.person(other.pane.link.sessionId);
    const hold = await stage.hold(agent.pane);
    person.send('linked');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, 'linked');
    expect(other.bytes().length).toBe(0);
    expect(stage.traces()).toBe('');
  });

  it('two sessions can be held at once', async () => {
    const first = await stage.recorder('first');
    const second = await stage.recorder('second');
    const one = await stage.person(first.pane.link.sessionId);
    const two = await stage.person(second.pane.link.sessionId);
    const holds = [await stage.hold(first.pane), await stage.hold(second.pane)] as const;
    one.send('one');
    two.send('two');
    await settled();
    expect(first.bytes().length + second.bytes().length).toBe(0);
    await holds[0].release();
    await arrives(first, 'one');
    expect(second.bytes().length).toBe(0);
    await holds[1].release();
    await arrives(second, 'two');
    expect(stage.traces()).toBe('');
  });
});

describe('what was there before', () => {
  it("the session's own key table, paste time and prefix are kept, and its bindings work", async () => {
    const agent = await stage.recorder('own-table');
    const session = agent.pane.link.sessionId;
    stage.tmux.run('bind-key', '-T', 'my table', 'F5', 'send-keys', '-l', '<f5>');
    const own = [
      ['key-table', 'my table'],
      ['assume-paste-time', '7'],
      ['prefix', 'C-a'],
    ];
    for (const [name = '', value = ''] of own) stage.tmux.run('set-option', '-t', session, name, value);
    const before = stage.traces();
    const person = await stage.person(session);
    const hold = await stage.hold(agent.pane);
    expect(stage.tmux.run('show-options', '-v', '-t', session, 'assume-paste-time')).toBe('0');
    person.send('a\x1b[15~\x01\x01b');
    await settled();
    expect(agent.bytes().length).toBe(0);
    await hold.release();
    await arrives(agent, 'a<f5>b');
    expect(stage.traces()).toBe(before);
    for (const [name = ''] of own) stage.tmux.run('set-option', '-u', '-t', session, name);
    expect(stage.traces()).toBe('');
  });

  it('nothing is drawn for a key that waits', async () => {
    const agent = await stage.recorder('drawn');
    // The status line has a clock.
    stage.tmux.run('set-option', '-t', agent.pane.link.sessionId, 'status', 'off');
    const person = await stage.person(agent.pane.link.sessionId);
    const written = (): number =>
      Number(
        stage.tmux
          .run(
            'list-clients',
            '-t',
            agent.pane.link.sessionId,
            '-F',
            '#{client_control_mode} #{client_written}',
          )
          .split('\n')
          .find((line) => line.startsWith('0 '))
          ?.slice(2),
      );
    const hold = await stage.hold(agent.pane);
    person.send('a');
    // The change of the key table itself redraws once.
    let before = 0;
    do {
      before = written();
      await settled();
    } while (written() !== before);
    const keys = '0123456789abcdefghij';
    person.send(keys);
    await settled();
    expect(written() - before).toBeLessThan(keys.length);
    await hold.release();
  });
});

describe('another connection', () => {
  it('finds a hold and releases it', async () => {
    const agent = await stage.recorder('found');
    const session = agent.pane.link.sessionId;
    const person = await stage.person(session);
    const token = freshToken();
    const hold = await stage.hold(agent.pane, { token });
    person.send('kept');
    await settled();
    const elsewhere = await stage.tmux.link(session, agent.pane.id);
    const found = await findHold(elsewhere, PACE);
    expect(found).toMatchObject({ token, since: hold.since });
    expect(await found?.release()).toMatchObject({ by: 'us', keys: 4 });
    expect(await hold.release()).toMatchObject({ by: 'other' });
    await arrives(agent, 'kept');
    expect(await findHold(agent.pane, PACE)).toBeUndefined();
    expect(stage.traces()).toBe('');
  });
});
