// Programs that clear the main screen and paint it again: what stood there is pushed into the scrollback, and is the same.
import { describe, expect, it } from 'vitest';
import { mark, Scene } from '../../test/support/marks-scene.js';

const CLEARS = ['\x1b[H\x1b[2J', '\x1b[2J\x1b[H', '\x1b[H\x1b[J'];
const BODIES: [string, (round: number) => string][] = [
  ['the same words', () => 'The build has run to its end.'],
  ['a clock', (round) => `Every 1.0s: build   12:00:${10 + round}`],
];
const CASES = CLEARS.flatMap((clear) => BODIES.map(([name, body]) => ({ clear, name, body })));

const redraw = (scene: Scene, clear: string, rows: readonly string[]): Scene => {
  scene.shown.pushUp();
  return scene.print(`${clear}${rows.join('\r\n')}\r\n`);
};

describe('a program that clears and paints again', () => {
  it.each(CASES)('has one signal with $name before its marker, by $clear', ({ clear, body }) => {
    for (const moments of [['rest'], ['moving', 'moving', 'rest'], ['moving'], []] as const) {
      const scene = new Scene();
      for (let round = 0; round < 10; round++) {
        redraw(scene, clear, [body(round), mark('done'), 'bottom']);
        for (const moment of moments) scene.look(moment);
      }
      scene.rest().rest();
      expect(scene.reports, moments.join()).toEqual(['done']);
      scene.print(`next\r\n${mark('done')}\r\n`).rest();
      expect(scene.reports, moments.join()).toEqual(['done', 'done']);
    }
  });

  it.each(CASES)('has one for a later daemon, with $name before its marker, by $clear', ({ clear, body }) => {
    const before = new Scene();
    for (let round = 0; round < 5; round++) redraw(before, clear, [body(round), mark('done')]).rest();
    const after = new Scene({ known: before.marks.memory.known });
    for (let round = 0; round < 8; round++) {
      after.shown.pushUp();
      after.shown.write(Buffer.from(`${clear}${body(round)}\r\n${mark('done')}\r\n`));
    }
    expect(after.rest().rest().reports).toEqual([]);
    expect(after.print(`${mark('done')}\r\n`).rest().reports).toEqual(['done']);
  });

  it('is seen though it is looked at when only half is painted', () => {
    const scene = new Scene();
    for (let round = 0; round < 5; round++) {
      redraw(scene, '\x1b[H\x1b[2J', [`at ${round}`]).look('moving');
      scene
        .print(`more words ${round}\r\n${mark('done')}\r\n`)
        .look('moving')
        .look('moving');
    }
    expect(scene.rest().reports).toEqual(['done']);
  });

  it('has another where it stands twice, or is said below', () => {
    const scene = new Scene();
    const [one, two, three] = ['one', 'two', 'three'].map((word) => word.repeat(12)) as [
      string,
      string,
      string,
    ];
    for (let round = 0; round < 5; round++)
      redraw(scene, '\x1b[2J\x1b[H', [one, mark('done'), two, mark('done')]).rest();
    expect(scene.reports).toEqual(['done', 'done']);
    redraw(scene, '\x1b[2J\x1b[H', [two, mark('done'), three, mark('done')]).rest();
    expect(scene.reports).toEqual(['done', 'done', 'done']);
  });
});

describe('a marker with an id', () => {
  const done = mark('done#7');
  const isMail = ({ context }: { context: string }): boolean => context.endsWith('a1b2c3d4e5f6');
  const mail = `[Input from: x (1) via sm send] #a1b2c3d4e5f6\r\n${done}\r\n`;

  it('is a report though it stood in mail, printed, painted and for a later daemon', () => {
    const printed = new Scene({ deps: { isMail }, columns: 80 }).print(mail).rest();
    expect(printed.print(`I say\r\n${done}\r\n`).rest().reports).toEqual(['done']);
    const painted = new Scene({ deps: { isMail }, columns: 80 }).print(`\x1b[?1049h\x1b[H${mail}`).rest();
    expect(painted.rest().marks.memory.known).toHaveLength(1);
    painted.print(`I say\r\n${done}\r\n`).rest();
    expect(painted.reports).toEqual(['done']);
    expect(painted.print(`And again\r\n${done}\r\n`).rest().reports).toEqual(['done']);
    expect(painted.rest().marks.memory.known.map(({ isReport }) => isReport)).toEqual([false, true]);
    const before = new Scene({ deps: { isMail }, columns: 80 }).print(mail).rest();
    const after = new Scene({ deps: { isMail }, columns: 80, known: before.marks.memory.known });
    after.shown.write(Buffer.from(`${mail}I say\r\n${done}\r\n`));
    expect(after.rest().reports).toEqual(['done']);
  });

  it('is a report by the record of its agent though it stood in mail', () => {
    const scene = new Scene({ deps: { isMail }, columns: 80 }).print(mail).rest();
    const marker = { state: 'completed', message: 'done', id: '7' };
    const kinds = scene.marks.recorded({ entry: 'u1', marker, at: 1_000_000 }).map(({ kind }) => kind);
    expect(kinds).toEqual(['new']);
  });
});

// A program that keeps its own view: it paints the last rows of what it has said over what stands there, and an input box below.
class Painter {
  readonly #said = ['hello agent'];
  constructor(readonly scene: Scene) {
    this.paint();
  }
  say(...rows: string[]): this {
    for (const row of rows) {
      this.#said.push(row);
      this.paint();
    }
    return this;
  }
  clear(): this {
    this.scene.shown.pushUp();
    return this.paint('\x1b[2J');
  }
  paint(clear = ''): this {
    const rows = this.#said.slice(-8).map((row) => `  ${row}\x1b[K`);
    const line = '─'.repeat(40);
    this.scene.print(`\x1b[H${clear}${rows.join('\r\n')}\r\n${line}\r\n> \x1b[K\r\n${line}\x1b[J`);
    this.scene
      .print(`\x1b[${rows.length + 2};3H`)
      .look('moving')
      .look('moving')
      .rest();
    return this;
  }
}

describe('a program that paints its own view on the main screen', () => {
  it('has each of its markers once when they reach the top, though it has cleared before', () => {
    const scene = new Scene();
    const painter = new Painter(scene);
    painter.say('some text one', mark('painted once'), 'middle', mark('short question'));
    painter.say(mark('same'), mark('same'));
    const before = ['painted once', 'short question', 'same', 'same'];
    expect(scene.reports).toEqual(before);
    for (let i = 0; i < 10; i++) painter.clear();
    expect(scene.reports).toEqual(before);
    for (let i = 0; i < 30; i++) painter.say(`t${i}`, mark(`t${i}`));
    expect(scene.reports).toEqual([...before, ...Array.from({ length: 30 }, (_, i) => `t${i}`)]);
  });

  it('asks anew what it asked before, once that was gone from the screen', () => {
    const scene = new Scene();
    const paint = (...rows: string[]): void => {
      scene.shown.pushUp();
      scene
        .print(`\x1b[H\x1b[J${rows.join('\r\n')}\r\n`)
        .look('moving')
        .rest();
    };
    paint(mark('Approve?'));
    paint(mark('Approve?'));
    expect(scene.reports).toEqual(['Approve?']);
    paint('it works on something else', 'for quite a while');
    paint(mark('Approve?'));
    expect(scene.reports).toEqual(['Approve?', 'Approve?']);
  });

  it('has each once though nothing but text comes below', () => {
    const scene = new Scene();
    const painter = new Painter(scene).say('some text one', mark('done'));
    for (let i = 0; i < 3; i++) painter.clear();
    for (let i = 0; i < 20; i++) painter.say(`text ${i}`);
    expect(scene.reports).toEqual(['done']);
    painter.say(mark('done'));
    expect(scene.reports).toEqual(['done', 'done']);
  });
});
