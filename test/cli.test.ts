// The command line as people and scripts use it: real daemon, real panes, exit codes and words.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateHome } from '../src/api/locate.js';
import type { Message, MessageWithEvents, SendResponse, Session, Status } from '../src/api/types.js';
import { ENTRIES } from '../src/cli/registry.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

let world: World;
let api: TestAgent;
let web: TestAgent;
// Never gets anything: it is paused.
let held: TestAgent;
beforeAll(async () => {
  world = await World.start();
  [api, web, held] = await Promise.all([
    world.agent('box', [], { name: 'api' }),
    world.agent('box', [], { name: 'web' }),
    world.agent('box', [], { name: 'held' }),
  ]);
  await world.client.update('held', { paused: true });
});
afterAll(() => world.dispose());

type Ran = Awaited<ReturnType<World['sm']>>;

// Runs it and expects it to go well: nothing on stderr.
async function ok(args: string[], options: Parameters<World['sm']>[1] = {}): Promise<string> {
  const ran = await world.sm(args, options);
  expect([args.join(' '), ran.code, ran.stderr]).toEqual([args.join(' '), 0, '']);
  return ran.stdout;
}
async function json<T>(args: string[], options: Parameters<World['sm']>[1] = {}): Promise<T> {
  return JSON.parse(await ok([...args, '--json'], options)) as T;
}
// Runs it and expects it to fail: nothing on stdout, and the reason on stderr in lines that start with who speaks.
function expectFailure(ran: Ran, code: number, words: RegExp): void {
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toMatch(/^sm: /);
  expect(ran.stderr).toMatch(words);
  expect(ran.stderr).not.toMatch(/\n\s+at /);
}
const sent = (agent: TestAgent, text: string): Promise<string> =>
  until(() => agent.submissions().find((each) => each.endsWith(`\n${text}`)), `"${text}"`);
// The ids of all messages there are: what becomes of them meanwhile is another matter.
const stored = async (): Promise<string[]> =>
  (await world.client.messages({ limit: 1000 })).map(({ id }) => id);
const waiting = async (): Promise<Message[]> => world.client.messages({ pending: true });

describe('the daemon', () => {
  test('sm up finds the one that runs', async () => {
    expect(await ok(['up'])).toContain(`runs already: pid ${world.pid}`);
    expect(await json<{ started: boolean; pid: number }>(['up'])).toMatchObject({
      started: false,
      pid: world.pid,
    });
  });

  test('sm status tells what runs', async () => {
    const status = await json<Status & { running: boolean }>(['status']);
    expect(status).toMatchObject({ running: true, pid: world.pid, home: world.home });
    expect(status.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const text = await ok(['status']);
    for (const part of [`pid ${world.pid}`, world.home, status.url]) expect(text).toContain(part);
  });

  test('sm logs shows its log, without the texts of messages', async () => {
    await world.submitted(await world.send(api, 'a secret of mine'));
    expect(await ok(['logs'])).toContain('started');
    const lines = (await ok(['logs', '--json', '-n', '1000'])).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).not.toHaveLength(0);
    expect(lines.join('\n')).not.toContain('a secret of mine');
  });

  test('is started by any command that needs it, once; sm down stops it and cleans up', async () => {
    const home = path.join(world.folder, 'second');
    const env = { SM_HOME: home };
    const { socket, info } = locateHome({ ...world.env, ...env });
    expect((await world.sm(['status'], { env })).code).toBe(5);
    expect(await json<object>(['down'], { env })).toEqual({ stopped: false, pid: null });
    const [first, second] = await Promise.all([
      world.sm(['ls', '--json'], { env }),
      world.sm(['ls', '--json'], { env }),
    ]);
    expect([first.code, first.stdout, second.code, second.stdout]).toEqual([0, '[]\n', 0, '[]\n']);
    const { pid } = await json<Status>(['status'], { env });
    expect(pid).not.toBe(world.pid);
    expect(await json<object>(['down'], { env })).toEqual({ stopped: true, pid });
    expect(fs.existsSync(`/proc/${pid}`) && !/ Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))).toBe(
      false,
    );
    expect([fs.existsSync(socket), fs.existsSync(info)]).toEqual([false, false]);
    expect((await world.sm(['status'], { env })).code).toBe(5);
  });

  test('that was stopped is started again with all that waits', async () => {
    const own = await World.start();
    try {
      const agent = await own.agent('box', [], { name: 'agent' });
      await own.client.update('agent', { paused: true });
      const message = await own.send(agent, 'kept');
      expect((await own.sm(['down'])).code).toBe(0);
      expect((await own.sm(['resume', 'agent'])).code).toBe(0);
      expect((await own.submitted(message)).receipt).toBe('submitted');
      expect(agent.submissions()).toEqual([delivered(message)]);
    } finally {
      await own.sm(['down']);
      await own.dispose();
    }
  });
});

describe('sm send', () => {
  test('says the id and the place in the queue', async () => {
    const text = await ok(['send', 'api', 'hello there']);
    expect(text).toMatch(/^queued [0-9a-f]{12} for api, position \d+ in its queue/);
    await sent(api, 'hello there');
  });

  test('reads the text from standard input, and drops one newline at its end', async () => {
    const { messages } = await json<SendResponse>(['send', 'api', '-'], { input: 'from a\npipe\n\n' });
    expect(messages[0]?.text).toBe('from a\npipe\n');
    await world.submitted(messages[0] as Message);
  });

  test('reads the text from a file', async () => {
    const file = path.join(world.folder, 'letter.txt');
    fs.writeFileSync(file, 'from a file, é中🙂\n');
    await ok(['send', 'api', '--file', file]);
    await sent(api, 'from a file, é中🙂');
  });

  test('refuses what cannot be a text, and sends nothing', async () => {
    const before = await stored();
    const file = path.join(world.folder, 'binary');
    fs.writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
    expectFailure(await world.sm(['send', 'api', '--file', file]), 2, /not UTF-8/);
    expectFailure(await world.sm(['send', 'api', '-'], { input: '' }), 2, /nothing to send/);
    const absent = await world.sm(['send', 'api', '--file', '/no/such/file']);
    expectFailure(absent, 2, /--file "\/no\/such\/file": there is no such file/);
    expectFailure(await world.sm(['send', 'api', '']), 2, /text.*empty/);
    expect(await stored()).toEqual(before);
  });

  test('sends to several at once', async () => {
    const { messages } = await json<SendResponse>(['send', 'api', 'web', 'to both of you']);
    expect(messages.map(({ to }) => to.name)).toEqual(['api', 'web']);
    await Promise.all([sent(api, 'to both of you'), sent(web, 'to both of you')]);
  });

  test('sends under another name', async () => {
    await ok(['send', 'api', '--from', 'the build', 'it is green']);
    expect(await sent(api, 'it is green')).toContain('[Input from: the build via sm send]');
    expectFailure(await world.sm(['send', 'api', '--from', 'a]b', 'x']), 2, /from/);
  });

  test('sends a text that starts with a dash after --', async () => {
    await ok(['send', 'api', '--', '--help me']);
    await sent(api, '--help me');
  });

  test('--wait ends when it is submitted', async () => {
    expect(await ok(['send', 'api', '--wait', 'wait for me'])).toMatch(/^submitted [0-9a-f]{12} to api\n$/);
    const { messages } = await json<SendResponse>(['send', 'api', '--wait', 'and for me']);
    expect(messages[0]).toMatchObject({ receipt: 'submitted', state: 'settled' });
  });

  test('--wait=received is refused at once where it could never come, and nothing is stored', async () => {
    const before = await stored();
    const ran = await world.sm(['send', 'api', '--wait=received', '--wait-timeout', '1h', 'in vain']);
    expectFailure(ran, 4, /"submitted" at most/);
    expect(await stored()).toEqual(before);
  });

  test('--wait --wait-timeout ends when the time is over, and says that the message stays queued and why', async () => {
    const ran = await world.sm(['send', 'held', '--wait', '--wait-timeout', '1s', 'no hurry']);
    expectFailure(ran, 124, /within 1\.0 s; it stays queued: .*paused/);
    const id = /^sm: ([0-9a-f]{12}) /.exec(ran.stderr)?.[1] ?? '';
    expect((await world.client.message(id)).state).toBe('pending');
    await world.client.cancel(id);
  });

  test('--wait of a message that is cancelled meanwhile fails', async () => {
    const running = world.sm(['send', 'held', '--wait', 'never mind']);
    const [message] = await until(async () => {
      const found = await waiting();
      return found.length ? found : undefined;
    }, 'the message');
    await world.client.cancel(message?.id ?? '');
    expectFailure(await running, 1, /cancelled and was not submitted/);
  });

  test('--dry-run says the way and why, and sends nothing', async () => {
    const before = await stored();
    await until(async () => (await world.client.session('api')).pending === 0, 'the queue to be empty');
    expect(await ok(['send', 'api', '--dry-run', 'x'])).toMatch(
      /^api: would be typed into the input box now \(direct, empty_box\): .*"submitted"/,
    );
    expect(await ok(['send', 'held', '--dry-run', 'x'])).toMatch(
      /^held: would wait \(wait, paused\): .*sm resume held/,
    );
    await world.client.start({ name: 'a-shell', command: ['sh'], socket: world.socket });
    const refused = await world.sm(['send', 'a-shell', '--dry-run', 'x']);
    expect([refused.code, refused.stdout]).toEqual([
      4,
      expect.stringMatching(/would be refused \(refuse, shell\)/),
    ]);
    const { plans } = await json<SendResponse>(['send', 'api', 'held', '--dry-run', 'x']);
    expect(plans.map(({ way }) => way)).toEqual(['direct', 'wait']);
    expect(await stored()).toEqual(before);
  });

  test('a shell is refused, and told how to send it a command', async () => {
    expectFailure(await world.sm(['send', 'a-shell', 'rm -rf /']), 4, /is a shell.*--command/s);
  });
});

describe('what waits', () => {
  test('sm queue shows it, in order and why', async () => {
    expect(await ok(['queue', 'api'])).toBe('nothing waits for api\n');
    await ok(['send', 'held', 'the first']);
    await ok(['send', 'held', 'the second']);
    await until(async () => (await waiting())[0]?.held === 'paused', 'the reason');
    const lines = (await ok(['queue'])).trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/TO.*ID.*FROM.*WAITS BECAUSE.*TEXT/);
    expect(lines[1]).toMatch(/^held +1 +[0-9a-f]{12} +user .*paused.*the first/);
    expect(lines[2]).toMatch(/^held +2 .*behind #[0-9a-f]{12} +the second/);
    const queued = await json<Message[]>(['queue', 'held']);
    expect(queued.map(({ text, held: why }) => [text, why])).toEqual([
      ['the first', 'paused'],
      ['the second', 'queue'],
    ]);
    expect(await ok(['ls'])).toMatch(/held +.* 2 .*paused/);
  });

  test('sm show tells of a session what waits for it', async () => {
    const text = await ok(['show', 'held']);
    expect(text).toContain(`held (${held.session.id}): live`);
    expect(text).toContain('the first');
    expect((await json<Session>(['show', 'held'])).pending).toBe(2);
  });

  test('sm show tells of a session which process it is', async () => {
    const text = await ok(['show', 'held']);
    expect(text).toMatch(new RegExp(`program +\\S+, pid ${held.session.program?.pid}`));
    expect(text).not.toContain('NaN');
  });

  test('sm show prints the timeline of a message', async () => {
    const [message] = await waiting();
    const text = await ok(['show', message?.id ?? '']);
    expect(text).toMatch(/^[0-9a-f]{12}: queued/);
    expect(text).toContain('│ the first');
    expect(text).toMatch(/queued\s*\n.*\+\d.* held +reason=paused/);
    const done = (await world.client.messages({ session: 'api', limit: 1 }))[0] as Message;
    const kinds = ['queued', 'attempt', 'typed', 'submitted'];
    expect(await ok(['show', `#${done.id}`])).toMatch(new RegExp(kinds.join('[^]*')));
    const shown = await json<MessageWithEvents>(['show', done.id.slice(0, 8)]);
    expect(shown.events.map(({ kind }) => kind).filter((kind) => kind !== 'held')).toEqual(kinds);
  });

  test('sm cancel takes a message back, but not one that was typed', async () => {
    const [first] = await waiting();
    expect(await ok(['cancel', first?.id ?? ''])).toBe(`cancelled ${first?.id} for held\n`);
    expect((await waiting()).map(({ text }) => text)).toEqual(['the second']);
    expectFailure(await world.sm(['cancel', first?.id ?? '']), 4, /cancelled already/);
    const done = (await world.client.messages({ session: 'api', limit: 1 }))[0] as Message;
    expectFailure(await world.sm(['cancel', done.id]), 4, /submitted already/);
  });

  test('sm cancel of several tries each, and ends with the worst of what it met', async () => {
    const [second] = await waiting();
    const more = await world.client.send({ to: ['held'], text: 'another' });
    const [one, other] = [more.messages[0]?.id ?? '', 'ffffffffffff'];
    const ran = await world.sm(['cancel', one, other, one]);
    expect([ran.code, ran.stdout]).toEqual([4, `cancelled ${one} for held\n`]);
    expect(ran.stderr).toMatch(new RegExp(`^sm: .*${other}.*\nsm: .*cancelled already.*\n$`));
    expect((await waiting()).map(({ id }) => id)).toEqual([second?.id]);
  });

  test('sm resume and sm pause of one session let its mail go and stop it', async () => {
    expect(await ok(['resume', 'held'])).toBe('delivery to held is on\n');
    await sent(held, 'the second');
    expect(await ok(['pause', 'held'])).toBe('delivery to held is paused\n');
    const { messages } = await json<SendResponse>(['send', 'held', 'the third']);
    await world.held(messages[0] as Message, 'paused');
    await ok(['send', 'api', '--wait', 'others go on']);
    expect(held.submissions()).toHaveLength(1);
    expect((await json<Session>(['resume', 'held'])).paused).toBe(false);
    await sent(held, 'the third');
  });

  test('sm pause and sm resume without a session mean all', async () => {
    expect(await json<object>(['pause'])).toEqual({ paused: true });
    const { messages } = await json<SendResponse>(['send', 'api', 'after the break']);
    await world.held(messages[0] as Message, 'paused');
    expect(await ok(['status'])).toContain('paused for all');
    expect(await ok(['resume'])).toBe('delivery is on for all sessions\n');
    await sent(api, 'after the break');
  });
});

describe('sessions', () => {
  test('are started, listed, renamed and ended', async () => {
    const started = await ok([
      'new',
      '--name',
      'cat',
      '--socket',
      world.socket,
      '--cwd',
      world.folder,
      '--',
      'cat',
      '-',
    ]);
    expect(started).toMatch(/^started cat \([0-9a-f]{8}\) in pane %\d+; sm attach cat shows it/);
    expect((await json<Session[]>(['ls'])).map(({ name }) => name)).toContain('cat');
    expect(await ok(['ls'])).toMatch(/^NAME +ID +AGENT +STATE/);
    expect(await ok(['rename', 'cat', 'dog'])).toMatch(/is now dog\n$/);
    expect(await ok(['kill', 'dog'])).toMatch(/^ended dog \(/);
    expect((await json<Session[]>(['ls'])).map(({ name }) => name)).not.toContain('dog');
  });

  test('are adopted, and panes listed', async () => {
    const pane = world.tmux('new-session', '-d', '-P', '-F', '#{pane_id}', 'cat');
    expect(await ok(['adopt', '--all', '--socket', world.socket])).toMatch(new RegExp(`^${pane} .*cat`, 'm'));
    expect(await ok(['adopt', pane, '--name', 'taken', '--socket', world.socket])).toContain(
      `adopted ${pane} as taken`,
    );
    expect(await json<{ cancelled: number }[]>(['kill', '--keep', 'taken'])).toMatchObject([
      { name: 'taken', cancelled: 0 },
    ]);
    expect(world.tmux('list-panes', '-a', '-F', '#{pane_id}').split('\n')).toContain(pane);
  });

  test('sm output shows their last lines', async () => {
    const script = 'for i in 1 2 3 4 5 6 7 8 9; do echo "line $i"; done; exec cat';
    const session = await world.client.start({
      name: 'talker',
      command: ['sh', '-c', script],
      socket: world.socket,
    });
    await until(() => world.tmux('capture-pane', '-p', '-t', session.pane).includes('line 9'), 'its output');
    expect(await ok(['output', 'talker', '-n', '3'])).toBe('line 7\nline 8\nline 9\n');
    expect((await ok(['output', 'talker'])).trim().split('\n')).toHaveLength(9);
  });
});

test('sm history lists messages, newest last', async () => {
  await ok(['send', 'web', '--wait', 'for the record']);
  const all = await json<Message[]>(['history', '-n', '5']);
  expect(all).toHaveLength(5);
  expect(all.at(-1)).toMatchObject({ text: 'for the record', to: { name: 'web' }, receipt: 'submitted' });
  const text = await ok(['history', 'web']);
  expect(text.trim().split('\n').at(-1)).toMatch(/^[0-9a-f]{12} .* user +web +submitted +for the record/);
  const web = await json<Message[]>(['history', 'web']);
  expect(new Set(web.map(({ to }) => to.name))).toEqual(new Set(['web']));
});

describe('errors are on stderr alone, with an exit code that says what kind', () => {
  test.each<[string, string[], number, RegExp]>([
    ['no such command', ['sned', 'api', 'x'], 2, /did you mean "send"/],
    ['no such option', ['send', 'api', '--wiat', 'x'], 2, /did you mean --wait/],
    ['an argument is missing', ['send'], 2, /session is missing/],
    ['the text is missing', ['send', 'api'], 2, /missing/],
    ['an argument too many', ['rename', 'a', 'b', 'c'], 2, /unexpected argument "c"/],
    ['a time that is none', ['send', 'api', '--wait', '--timeout', 'soon', 'x'], 2, /30s/],
    ['a receipt that there is not', ['send', 'api', '--wait=read', 'x'], 2, /submitted or received/],
    ['a count that is none', ['history', '-n', '0'], 2, /whole number/],
    ['a bad name', ['rename', 'api', 'a b'], 2, /letters, digits/],
    [
      'a command that is not found',
      ['new', '--', 'no-such-program'],
      2,
      /command not found: no-such-program/,
    ],
    [
      'a folder that is not found',
      ['new', '--cwd', '/no/such', '--', 'cat'],
      2,
      /no such folder: \/no\/such/,
    ],
    ['no such pane', ['adopt', '%9999', '--socket', 'SOCKET'], 2, /no such pane: %9999/],
    ['no such session', ['send', 'apo', 'x'], 3, /no such session: apo.*did you mean "api"/],
    ['no such session to show', ['show', 'ap1'], 3, /did you mean "api"[\s\S]*sm ls .*sm history/],
    [
      'a socket in a folder that is not there',
      ['new', '--socket', '/tmp/no/such/socket', '--', 'cat'],
      2,
      /socket "\/tmp\/no\/such\/socket": there is no folder \/tmp\/no\/such/,
    ],
    ['no such session to end', ['kill', 'wbe'], 3, /did you mean "web"/],
    ['no such session to read', ['output', 'apii'], 3, /did you mean "api"/],
    ['no such message', ['cancel', 'ffffffffffff'], 3, /no such message/],
    [
      'a time that is too long',
      ['send', 'api', '--timeout', '31d', 'x'],
      2,
      /^sm: --timeout "31d": must be at most 30 days\n$/,
    ],
    [
      'a sender with brackets',
      ['send', 'api', '--from', 'a(b', 'x'],
      2,
      /^sm: --from "a\(b": must be 1 to 64/,
    ],
    ['a blank text', ['send', 'api', '  '], 2, /^sm: text " {2}": must hold more than blanks\n$/],
    [
      'a bad group',
      ['new', '--group', 'a', '--group', 'a b', 'cat'],
      2,
      /^sm: --group "a b": must be letters/,
    ],
    [
      'what is not for a person',
      ['send', '@me', '--timeout', '5m', 'x'],
      2,
      /^sm: --timeout "5m" is not for mail to a person/,
    ],
    ['a time too far off', ['remind', '400d', 'x'], 2, /^sm: time "400d": must be at most 366 days\n$/],
    ['a name that is taken', ['rename', 'api', 'web'], 4, /"web" exists/],
  ])('%s', async (_, args, code, words) => {
    const before = await stored();
    const ran = await world.sm(args.map((word) => (word === 'SOCKET' ? world.socket : word)));
    expectFailure(ran, code, words);
    expect(await stored()).toEqual(before);
  });

  test('words without quotes are recognised as such', async () => {
    expectFailure(await world.sm(['send', 'api', 'run', 'the', 'tests']), 3, /put the text in quotes/);
  });

  test('with --json too, so that a script never reads an error as an answer', async () => {
    expectFailure(await world.sm(['show', 'nobody-at-all', '--json']), 3, /nobody-at-all/);
  });
});

test.each(ENTRIES.map(({ name }) => name))('sm %s --help explains it without a daemon', async (name) => {
  const ran = await world.sm([name, '--help'], { env: { SM_HOME: path.join(world.folder, 'unused') } });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toContain(`Usage: sm ${name}`);
  expect(ran.stdout).toMatch(/^Examples$/m);
  expect(fs.existsSync(path.join(world.folder, 'unused'))).toBe(false);
});
