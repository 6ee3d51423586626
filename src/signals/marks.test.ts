// Fifty markers in one stream, cut at every byte, with the screen of a real terminal emulator; and what makes one of two.
import { describe, expect, it } from 'vitest';
import { COLUMNS, DEPS, mark, Scene } from '../../test/support/marks-scene.js';

// Fifty: printed, coloured, wrapped by the terminal (12), painted with cursor moves (13), said again (6), and what is none.
function recording(): { stream: Buffer; messages: string[] } {
  const parts: string[] = [];
  const messages: string[] = [];
  const say = (message: string, spelled = `${mark(message)}\r\n`): void => {
    messages.push(message);
    parts.push(spelled);
  };
  for (let i = 0; i < 13; i++) {
    say(`plain ${i}`);
    parts.push(`\x1b[2m⎿ \x1b[22mread file ${i}\x1b[K\r\n`);
  }
  for (let i = 0; i < 6; i++) {
    const words = `colour ${i}`;
    say(
      words,
      `\x1b[32m●\x1b[39m \x1b[1m--<[sm:\x1b[31mcompleted\x1b[m:colour\x1b[1C${i}]>--\x1b]0;t${i}\x07\r\n`,
    );
    if (i % 2) say(words);
    parts.push(`quoted "${mark('never')}" here ${i}\r\n`);
  }
  for (let i = 0; i < 12; i++) {
    say(`wrapped ${i} because this goes on beyond the edge ${'of it '.repeat(i % 3)}end`);
    parts.push(`\x1b_Gx\x1b\\step ${i}\r\n`);
  }
  for (let i = 0; i < 13; i++) {
    const words = `painted ${i}`;
    // A status line below, gone up from, erased, painted over; sometimes by columns.
    parts.push(`working ${i}\r\nstatus\r\n\x1b[2A\x1b[2K\x1b[J`);
    const gap = i % 2 ? '\x1b[1C' : ' ';
    say(words, `\x1b[3G${mark(`painted${gap}${i}`)}\x1b[1Btail ${i}\r\x1b[1B\r\n`);
  }
  for (let i = 0; i < 3; i++) {
    parts.push(`round ${i}\r\nspinner\r\n\x1b[1A\x1b[2K`);
    say('plain 12');
  }
  parts.push(`later\r\n`);
  return { stream: Buffer.from(parts.join('')), messages };
}

describe('a stream with fifty markers', () => {
  const { stream, messages } = recording();

  it('has what it is to have', () => {
    expect(messages).toHaveLength(50);
    expect(messages.filter((one) => one.startsWith('wrapped'))).toHaveLength(12);
    expect(messages.filter((one) => one.startsWith('painted'))).toHaveLength(13);
    expect(messages.length - new Set(messages).size).toBe(6);
  });

  it('gives the same fifty, in order, wherever it is cut, looked at in between or not', () => {
    for (let at = 0; at <= stream.length; at++) {
      const scene = new Scene().print(stream.subarray(0, at));
      if (at % 3 === 1) scene.look('moving').look('moving');
      if (at % 3 === 2) scene.rest();
      scene.print(stream.subarray(at)).look('moving').rest().rest();
      expect(scene.reports, `cut at ${at}`).toEqual(messages);
    }
  }, 600_000);

  it('gives the same fifty byte by byte', () => {
    const scene = new Scene();
    for (const byte of stream) scene.print(Buffer.of(byte));
    expect(scene.rest().reports).toEqual(messages);
  });
});

describe('one marker', () => {
  const DONE = mark('done');
  const frame = (body: string): string => `\x1b[H\x1b[2J${body.replaceAll('\n', '\r\n')}`;
  const BODY = `● I have changed the file.\n\n● ${DONE}\n\n${'─'.repeat(COLUMNS)}\n❯ \n${'─'.repeat(COLUMNS)}\x1b[1A`;

  it('is one signal however often the screen is painted anew', () => {
    const scene = new Scene().print('\x1b[?1049h');
    for (let i = 0; i < 10; i++) scene.print(frame(BODY)).look('moving').look('moving').rest();
    expect(scene.reports).toEqual(['done']);
  });

  it('is one signal when the screen scrolls, is made narrow and wide, and scrolls back', () => {
    const scene = new Scene().print('\x1b[?1049h').print(frame(BODY)).rest();
    scene.print(frame(BODY.replace('● I have changed the file.\n\n', ''))).rest();
    scene.print(frame('something else altogether')).rest().print(frame(BODY)).rest();
    scene.shown.resize(20);
    scene.print(frame('● I have changed\n  the f…\n\n● --<[sm:completed:\n  done]>--\n')).rest();
    scene.shown.resize(COLUMNS);
    scene.print(frame(BODY)).rest();
    expect(scene.reports).toEqual(['done']);
  });

  it('is one signal for a later daemon though the screen was made narrow before or meanwhile', () => {
    const narrow = frame('● I have changed\n  the f…\n\n● --<[sm:completed:\n  done]>--\n');
    const before = new Scene().print('\x1b[?1049h').print(frame(BODY)).rest();
    const meanwhile = new Scene({ known: before.marks.memory.known, columns: 20 });
    meanwhile.shown.write(Buffer.from(`\x1b[?1049h${narrow}`));
    expect(meanwhile.rest().reports).toEqual([]);
    before.shown.resize(20);
    before.print(narrow).rest();
    const after = new Scene({ known: before.marks.memory.known, columns: 20 });
    after.shown.write(Buffer.from(`\x1b[?1049h${narrow}`));
    expect(after.rest().reports).toEqual([]);
    // As wide as before: said again, with other words before it.
    const again = new Scene({ known: before.marks.memory.known, columns: 20 });
    again.shown.write(
      Buffer.from(`\x1b[?1049h${narrow.replaceAll('changed', 'written')}`.replace('the f…', 'more')),
    );
    expect(again.rest().reports).toEqual(['done']);
  });

  it('is another signal when it is said again later', () => {
    const scene = new Scene().print('\x1b[?1049h').print(frame(BODY)).rest();
    const again = BODY.replace(/\n─+/, `\n● And once more.\n\n● ${DONE}\n$&`);
    scene.print(frame(again)).rest().print(frame(again)).rest();
    expect(scene.reports).toEqual(['done', 'done']);
    scene.print(frame(`● And once more.\n\n● ${DONE}\n● Twice.\n● ${DONE}\n`)).rest();
    expect(scene.reports).toEqual(['done', 'done', 'done']);
  });

  it('is one signal when it scrolls away below what its program keeps at the top', () => {
    const body = `● I begin.\n${mark('first')}\n● I go on with it for a while.\n${DONE}\n`;
    const scene = new Scene()
      .print('\x1b[?1049h')
      .print(frame(`❯ the prompt\n\n\n\n${body}`))
      .rest();
    scene
      .print(frame(`❯ the prompt\n\n${mark('first')}\n● I go on with it for a while.\n${DONE}\nmore\n`))
      .rest();
    scene.print(frame(`❯ the prompt\n\n${DONE}\nmore\n`)).rest();
    expect(scene.reports).toEqual(['first', 'done']);
  });

  it('is one signal for a later daemon, and what was said meanwhile is seen in order', () => {
    const before = new Scene();
    before.print(`a\r\n${mark('one')}\r\nb\r\n${mark('one')}\r\n`).rest();
    const after = new Scene({ known: before.marks.memory.known });
    after.shown.write(
      Buffer.from(`a\r\n${mark('one')}\r\nb\r\n${mark('one')}\r\nc\r\n${mark('two')}\r\n${mark('one')}\r\n`),
    );
    expect(after.rest().reports).toEqual(['two', 'one']);
    expect(
      after
        .rest()
        .print(`d\r\n${mark('one')}\r\n`)
        .rest().reports,
    ).toEqual(['two', 'one', 'one']);
  });

  it('is new above one that is known, also of a session that has said more than are remembered', () => {
    const before = new Scene().print(`some words before it\r\n${mark('old')}\r\n`).rest();
    const known = before.marks.memory.known.map((one) => ({ ...one, seq: 301 }));
    const after = new Scene({ known });
    after.print(`\x1b[?1049h\x1b[4;1H${mark('new')}\r\nsome words before it\r\n${mark('old')}\r\n`).rest();
    expect(after.reports).toEqual(['new']);
  });

  it('of which the same was printed often is as many signals as were missed', () => {
    const before = new Scene();
    for (let i = 0; i < 40; i++) before.print(`${mark('tick')}\r\n`);
    const after = new Scene({ known: before.marks.memory.known });
    for (let i = 0; i < 45; i++) after.shown.write(Buffer.from(`${mark('tick')}\r\n`));
    expect(after.rest().reports).toEqual(Array(5).fill('tick'));
  });

  it('is none in a draft, nor where that is shown after it was submitted', () => {
    const draft = BODY.replace(`● ${DONE}\n`, '').replace('❯ ', `❯ ${DONE}`);
    const scene = new Scene().print('\x1b[?1049h').print(frame(draft)).rest();
    expect(scene.reports).toEqual([]);
    scene.print(frame(BODY)).rest();
    expect(scene.reports).toEqual([]);
    scene.print(frame(BODY.replace(DONE, `${DONE}\n\n● Yes, it is.\n${DONE}`))).rest();
    expect(scene.reports).toEqual(['done']);
  });

  it('is none in mail of ours, printed or painted', () => {
    const deps = { isMail: ({ context }: { context: string }) => context.endsWith('a1b2c3d4e5f6') };
    const mail = `[Input from: x (1) via sm send] #a1b2c3d4e5f6\r\n${DONE}\r\n`;
    expect(new Scene({ deps, columns: 80 }).print(mail).rest().reports).toEqual([]);
    expect(new Scene({ deps, columns: 80 }).print(`\x1b[?1049h${frame(mail)}`).rest().reports).toEqual([]);
  });

  it('typed behind the prompt of a shell is none', () => {
    const scene = new Scene({ deps: { prompt: () => '$ ' } });
    expect(scene.print(`$ ${DONE}\r\nnot found\r\n$ `).rest('$ ').reports).toEqual([]);
  });

  it('that was only seen on a half painted screen is none', () => {
    const scene = new Scene()
      .print('\x1b[?1049h')
      .print(frame(`${mark('torn')}\n`))
      .look('moving');
    scene
      .print(frame(`${mark('whole')}\n`))
      .look('moving')
      .look('moving');
    expect(scene.reports).toEqual(['whole']);
  });

  it('with an unknown state is a near miss', () => {
    const scene = new Scene().print('--<[sm:complete:x]>--\r\n');
    expect(scene.misses).toEqual(['--<[sm:complete:x]>--']);
    scene.print(frame('a\n--<[sm:complete:x]>--\n--<[sm:completed x]>--\n')).rest().rest();
    expect(scene.misses).toEqual(['--<[sm:complete:x]>--', '--<[sm:completed x]>--']);
    expect(scene.reports).toEqual([]);
  });

  it('with an unknown state is quoted as it is shown, also by a later daemon', () => {
    const scene = new Scene().print(frame('a\n● --<[schmux:complete:x#1]>--\n')).rest();
    expect(scene.misses).toEqual(['● --<[schmux:complete:x#1]>--']);
  });

  it('is one whether the record of its agent or the screen shows it first', () => {
    let now = DEPS.clock();
    const deps = { clock: () => now };
    const recorded = (entry: string) => ({
      entry,
      marker: { state: 'completed', message: 'done', id: null },
      at: DEPS.clock(),
    });
    const first = new Scene().print('\x1b[?1049h');
    expect(first.marks.recorded(recorded('u1'))).toHaveLength(1);
    first.print(frame(BODY)).rest();
    expect(first.reports).toEqual([]);
    const second = new Scene({ deps }).print('\x1b[?1049h').print(frame(BODY)).rest();
    expect(second.reports).toEqual(['done']);
    expect(second.marks.recorded(recorded('u1')).map(({ kind }) => kind)).toEqual(['known']);
    expect(second.marks.recorded(recorded('u1'))).toEqual([]);
    // Said again it stands in the record again; other words before it on the screen mean nothing.
    second.print(frame(`Quite other words.\n\n\n\n${DONE}\n`)).rest();
    now += 5000;
    second.rest();
    expect(second.reports).toEqual(['done']);
    expect(second.marks.recorded(recorded('u2')).map(({ kind }) => kind)).toEqual(['new']);
  });
});
