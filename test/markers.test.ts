// Markers that agents print, in real tmux: each is one signal, whatever happens to the screen, the connection or the daemon.
import net from 'node:net';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../src/api/types.js';
import { program, until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

const mark = (message: string, state = 'completed'): string => `--<[sm:${state}:${message}]>--`;
const line = (message: string): string => `${mark(message)}\r\n`;

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(async () => await world.dispose());

class Printer {
  constructor(
    readonly session: Session,
    readonly socket: string,
  ) {}

  static async start(name: string, { width = 60, height = 20 } = {}): Promise<Printer> {
    const socket = path.join(world.folder, `${name}.sock`);
    const command = [process.execPath, program('printer.mjs'), socket];
    const session = await world.client.start({
      name,
      socket: world.socket,
      cwd: world.folder,
      command,
      width,
      height,
    });
    await until(() => connects(socket), 'the printer to listen');
    return new Printer(session, socket);
  }

  print(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const peer = net.connect(this.socket, () => peer.end(text));
      peer
        .on('error', reject)
        .on('close', () => resolve())
        .resume();
    });
  }

  get pane(): string {
    return this.session.pane;
  }
}

const connects = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const peer = net.connect(socket, () => resolve(true));
    peer.on('error', () => resolve(false)).end();
  });

const messages = async ({ id }: Session): Promise<string[]> =>
  (await world.client.signals({ session: id, limit: 500 })).map(({ message }) => message);

// Whatever comes before it has been seen by then.
async function seen(session: Session, message: string): Promise<string[]> {
  await until(async () => (await messages(session)).at(-1) === message, `${message} to be seen`).catch(
    async (error: Error) => {
      throw new Error(`${error.message}; there are ${JSON.stringify(await messages(session))}`);
    },
  );
  return messages(session);
}

const frame = (...rows: string[]): string => `\x1b[?2026h\x1b[H\x1b[2J${rows.join('\r\n')}\x1b[?2026l`;
// A screen as agents draw it: what was said, and a box below it.
const screen = (...rows: string[]): string =>
  frame('● I have changed the file.', ...rows, '─'.repeat(30), '❯ ', '─'.repeat(30), '\x1b[2A');

describe('a marker', () => {
  it('is seen when it is printed, whole or in pieces, with and without a line feed behind it', async () => {
    const printer = await Printer.start('plain');
    await printer.print(line('one'));
    await printer.print('\x1b[1m--<[sm:comp');
    await printer.print(`leted:tw\x1b[1Co]>--\x1b[m\r\n`);
    await printer.print(line(`three ${'and more '.repeat(12)}end`));
    await printer.print(mark('four'));
    expect(await seen(printer.session, 'four')).toEqual([
      'one',
      'tw o',
      `three ${'and more '.repeat(12)}end`,
      'four',
    ]);
    const { signal_seq, signal_state } = await world.client.session(printer.session.id);
    expect([signal_seq, signal_state]).toEqual([4, 'completed']);
  });

  it('is one signal on a screen that is painted ten times, made narrow and wide, and scrolled', async () => {
    const printer = await Printer.start('painted');
    await printer.print('\x1b[?1049h');
    for (let i = 0; i < 10; i++) await printer.print(screen(mark('painted')));
    await seen(printer.session, 'painted');
    const said = mark('painted and so long that it takes two rows');
    await printer.print(screen(mark('painted'), '', said.slice(0, 36), said.slice(37)));
    await seen(printer.session, 'painted and so long that it takes two rows');
    world.tmux('resize-window', '-t', printer.pane, '-x', '35');
    await printer.print(
      frame('● I have changed the…', mark('painted'), '', said.slice(0, 31), said.slice(32), 'x'),
    );
    world.tmux('resize-window', '-t', printer.pane, '-x', '80');
    await printer.print(screen(mark('painted'), '', said));
    await printer.print(screen('', said));
    await printer.print(screen(mark('painted'), '', said, '', '● Once more:', mark('painted')));
    await until(async () => (await messages(printer.session)).length === 3, 'the one that was said again');
    await printer.print(screen(mark('painted'), '', said, '', '● Once more:', mark('painted'), mark('end')));
    expect(await seen(printer.session, 'end')).toEqual([
      'painted',
      'painted and so long that it takes two rows',
      'painted',
      'end',
    ]);
  });

  it.each([
    ['\\e[H\\e[2J', '\x1b[H\x1b[2J'],
    ['\\e[2J\\e[H', '\x1b[2J\x1b[H'],
    ['\\e[H\\e[J', '\x1b[H\x1b[J'],
  ])('is one signal on a main screen that is cleared by %s and painted again', async (_, clear) => {
    const [same, clock] = [await Printer.start('same'), await Printer.start('clock')];
    for (let i = 0; i < 10; i++) {
      await same.print(`${clear}The build has run to its end.\r\n${line('built')}`);
      await clock.print(`${clear}Every 1.0s: build  12:00:${10 + i}\r\n${line('built')}`);
      await until(async () => (await messages(clock.session)).length > 0, 'it to be seen');
    }
    for (const printer of [same, clock]) {
      await printer.print(line('last'));
      expect(await seen(printer.session, 'last')).toEqual(['built', 'last']);
    }
    await world.kill9();
    await world.startDaemon();
    for (const printer of [same, clock]) {
      await printer.print(`and\r\n${line('built')}${line('end')}`);
      expect(await seen(printer.session, 'end')).toEqual(['built', 'last', 'built', 'end']);
    }
  });

  it('is not lost while no daemon runs: five in order, and nothing twice', async () => {
    const printer = await Printer.start('down');
    await printer.print(`${line('before')}text\r\n${line('again')}`);
    await seen(printer.session, 'again');
    await world.kill9();
    const missed = ['one', 'again', 'two', 'three', 'again'];
    for (const message of missed) await printer.print(`doing ${message}\r\n${line(message)}`);
    await world.startDaemon();
    await until(async () => (await messages(printer.session)).length >= 7, 'all of them');
    await printer.print(line('after'));
    expect(await seen(printer.session, 'after')).toEqual(['before', 'again', ...missed, 'after']);
  });

  it('that is printed while no daemon runs is not what was said through another door while one ran', async () => {
    const printer = await Printer.start('later');
    await world.client.signal(printer.session.id, { state: 'completed', message: 'done' });
    await world.client.stop();
    await world.ended();
    const database = new Sqlite(path.join(world.home, 'suremail.db'));
    database.exec(
      'UPDATE sessions SET created_at = created_at - 7200000; UPDATE signals SET at = at - 3600000',
    );
    database.close();
    await printer.print(line('done'));
    await world.startDaemon();
    await printer.print(line('end'));
    expect(await seen(printer.session, 'end')).toEqual(['done', 'done', 'end']);
  });

  it('is one signal when the daemon is killed at any moment while it is printed', async () => {
    const printer = await Printer.start('killed');
    const expected: string[] = [];
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 5; i++) {
        expected.push(`round ${round} step ${i}`);
        await printer.print(`working on ${i}\r\n${line(`round ${round} step ${i}`)}`);
        if (i === round) await world.kill9();
      }
      await world.startDaemon();
    }
    expect(await seen(printer.session, 'round 3 step 4')).toEqual(expected);
  });

  it('that stands on the alternate screen is one signal for the next daemon, and a new one is another', async () => {
    const printer = await Printer.start('alternate');
    await printer.print(`\x1b[?1049h${screen(mark('one'))}`);
    await seen(printer.session, 'one');
    await world.kill9();
    await printer.print(screen(mark('one'), '● And more', mark('two')));
    await world.startDaemon();
    expect(await seen(printer.session, 'two')).toEqual(['one', 'two']);
    await printer.print(screen(mark('one'), '● And more', mark('two'), mark('three')));
    expect(await seen(printer.session, 'three')).toEqual(['one', 'two', 'three']);
  });

  it('with an id is one signal however often it is said', async () => {
    const printer = await Printer.start('ids');
    await printer.print(`${line('done#1')}${line('done#2')}${line('done again#1')}${line('end')}`);
    expect(await seen(printer.session, 'end')).toEqual(['done', 'done', 'end']);
  });

  it('that stood in a pane before it was adopted was not said to us', async () => {
    const socket = path.join(world.folder, 'own.sock');
    const command = `${process.execPath} ${program('printer.mjs')} ${socket}`;
    world.tmux('new-session', '-d', '-s', 'own', '-x', '80', '-y', '24', command);
    await until(() => connects(socket), 'the printer to listen');
    const before = { print: Printer.prototype.print, socket } as Printer;
    await before.print(line('old'));
    await until(() => world.tmux('capture-pane', '-p', '-t', 'own').includes('old'), 'it to be shown');
    const session = await world.client.adopt({ target: 'own', socket: world.socket, name: 'own' });
    await before.print(`more\r\n${line('new')}`);
    expect(await seen(session, 'new')).toEqual(['new']);
  });

  it('that almost is one is told by the doctor', async () => {
    const printer = await Printer.start('almost');
    await printer.print(`--<[sm:completed done]>--\r\n${line('end')}`);
    await seen(printer.session, 'end');
    const { stdout } = await world.sm(['doctor']);
    expect(stdout).toContain('--<[sm:completed done]>--');
  });
});

describe('what is no signal', () => {
  const settle = async (agent: TestAgent, say: () => Promise<unknown>): Promise<string[]> => {
    await say();
    await world.client.signal(agent.session.id, { state: 'idle', message: 'end' });
    return seen(agent.session, 'end');
  };

  it.each(['cooked', 'ink', 'box'])('a marker in mail, to an agent as %s', async (kind) => {
    const agent = await world.agent(kind);
    const found = await settle(agent, async () => {
      const text = `Say this when you are done:\n${mark('mail')}\nand nothing else`;
      await world.submitted(await world.send(agent, text));
      await atRest();
    });
    expect(found).toEqual(['end']);
  });

  it.each(['readline', 'ink', 'box'])(
    'a marker in a draft, nor when it is submitted, to an agent as %s',
    async (kind) => {
      const agent = await world.agent(kind);
      const person = await world.person(agent);
      const found = await settle(agent, async () => {
        await person.type(mark('draft'));
        await until(() => person.screen().includes('completed:draft'), 'the draft to be shown');
        await atRest();
        await person.press('Enter');
        await atRest();
      });
      expect(found).toEqual(['end']);
    },
  );
});

// Whatever is on a screen is looked at within half a second after the last output; nothing tells that nothing was found.
const atRest = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1500));
