// The daemon's side and the shim together: the real script, on a terminal of its own.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestTmux, until } from '../../test/support/tmux.js';
import { MARKS } from './caret.js';
import { Handover, type HandoverRequest } from './handover.js';

const SHIM = fileURLToPath(new URL('./editor-shim.sh', import.meta.url));
const CALL_MS = 5000;
const [MARK] = MARKS;

let tmux: TestTmux;
let own: string;
beforeAll(() => {
  tmux = new TestTmux();
  tmux.run('new-session', '-d', 'cat');
  own = tmux.file("a person's editor");
  fs.writeFileSync(own, '#!/bin/sh\necho "own $# $SM_SWAP" >> "$2"\n', { mode: 0o700 });
});
afterAll(() => tmux.dispose());

let folder: string;
let file: string;
let ended: string;
let handover: Handover;
let round = 0;
beforeEach(() => {
  folder = tmux.file(`swap ${++round}`);
  file = tmux.file(`prompt-${round}.md`);
  ended = tmux.file(`ended-${round}`);
  handover = new Handover(folder);
});
afterEach(async () => until(() => fs.existsSync(ended), 'the shim to end'));

// As an agent does: words, then the file.
function call(content: string, env: Record<string, string> = {}): void {
  fs.writeFileSync(file, content);
  const all = { SM_SWAP: folder, SM_EDITOR: `'${own.replace("'", `'\\''`)}' --wait`, ...env };
  const words = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const script = 'sh "$1" "$2"; echo $? > "$3.new"; mv "$3.new" "$3"';
  tmux.run('new-session', '-d', '--', 'env', ...words, 'sh', '-c', script, 'sh', SHIM, file, ended);
}

const content = (): string => fs.readFileSync(file, 'utf8');
const status = async (): Promise<string> =>
  until(() => (fs.existsSync(ended) ? fs.readFileSync(ended, 'utf8').trim() : undefined), 'the shim to end');
const ask = (request: Partial<HandoverRequest> = {}): void =>
  handover.ask({ token: 't1', otherwise: 'keep', pattern: '*/prompt-*.md', callMs: 1000, ...request });

const DRAFT = `"two" lines\\n\n\n 中🙂 'end' $HOME \`x\`\n`;

describe('a swap that asks', () => {
  test('gets the draft byte for byte, and puts another text in its place', async () => {
    ask();
    call(DRAFT);
    expect(await handover.draft('t1', CALL_MS)).toBe(DRAFT);
    await handover.answer('t1', { kind: 'put', text: `other\n${DRAFT}` });
    expect(await handover.outcome('t1', CALL_MS)).toBe('put');
    expect(await status()).toBe('0');
    expect(content()).toBe(`other\n${DRAFT}`);
  });

  test('can leave it, byte for byte', async () => {
    ask();
    call(DRAFT);
    await handover.draft('t1', CALL_MS);
    await handover.answer('t1', { kind: 'keep' });
    expect(await handover.outcome('t1', CALL_MS)).toBe('keep');
    await status();
    expect(content()).toBe(DRAFT);
    // Nothing of the draft stays in files.
    expect(fs.readdirSync(folder)).toEqual(['answer']);
  });

  test('can put nothing at all', async () => {
    ask();
    call('abc');
    await handover.draft('t1', CALL_MS);
    await handover.answer('t1', { kind: 'put', text: '' });
    await handover.outcome('t1', CALL_MS);
    await status();
    expect(content()).toBe('');
  });

  test('answers one call: the next one is the person’s', async () => {
    ask();
    call('abc\n');
    await handover.draft('t1', CALL_MS);
    await handover.answer('t1', { kind: 'keep' });
    await handover.outcome('t1', CALL_MS);
    await status();
    fs.rmSync(ended);
    call('def\n');
    await status();
    expect(content()).toBe('def\nown 2 \n');
  });

  test('keeps its files to itself', async () => {
    ask({ mark: MARK });
    call('abc');
    await handover.draft('t1', CALL_MS);
    const modes = fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).mode & 0o077);
    expect(new Set(modes)).toEqual(new Set([0]));
    expect(fs.statSync(folder).mode & 0o077).toBe(0);
    await handover.answer('t1', { kind: 'keep' });
  });
});

describe('the person’s own editor runs', () => {
  test('when no swap asks', async () => {
    call('abc\n');
    expect(await status()).toBe('0');
    expect(content()).toBe('abc\nown 2 \n');
  });

  test('for a file of another name, and the request stays', async () => {
    ask({ pattern: '*/COMMIT_EDITMSG' });
    call('abc\n');
    await status();
    expect(content()).toBe('abc\nown 2 \n');
    expect(fs.existsSync(path.join(folder, 'request'))).toBe(true);
  });

  test('outside of a session', async () => {
    ask();
    call('abc\n', { SM_SWAP: '' });
    await status();
    expect(content()).toBe('abc\nown 2 \n');
  });

  test('after a request that was withdrawn', async () => {
    ask();
    handover.withdraw('t1');
    call('abc\n');
    await status();
    expect(content()).toBe('abc\nown 2 \n');
  });
});

describe('a daemon that does not answer', () => {
  test.each<[string, Partial<HandoverRequest>, string, string, string]>([
    ['keep', {}, 'abc\n', 'abc\n', 'keep'],
    ['unmark', { otherwise: 'unmark', mark: MARK }, `a\nb${MARK}c\n`, 'a\nbc\n', 'unmark'],
    [
      'unmark, one of two',
      { otherwise: 'unmark', mark: MARK },
      `${MARK}${MARK}\n\n`,
      `${MARK}\n\n`,
      'unmark',
    ],
    ['unmark, none there', { otherwise: 'unmark', mark: MARK }, 'abc\n', 'abc\n', 'unmark'],
  ])('%s', async (_what, request, before, after, outcome) => {
    ask(request);
    call(before);
    expect(await handover.draft('t1', CALL_MS)).toBe(before);
    expect(await status()).toBe('0');
    expect(content()).toBe(after);
    expect(await handover.outcome('t1', 100)).toBe(outcome);
  });

  test('is followed by one that finds what was handed over', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    call(`a${MARK}b`);
    await handover.draft('t1', CALL_MS);
    const next = new Handover(folder);
    expect(await next.settled()).toEqual({ ended: true, content: `a${MARK}b`, marks: [MARK] });
    expect(content()).toBe('ab');
    next.forgetMarks();
    expect(fs.readdirSync(folder)).toEqual(['answer']);
  });
});

describe('a call that is let go', () => {
  test('goes on as its request says: without the mark', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    call(`a${MARK}b\n`);
    await handover.draft('t1', CALL_MS);
    expect([handover.isOpen, await handover.abandon(), handover.isOpen]).toEqual([true, true, false]);
    await status();
    expect(content()).toBe('ab\n');
    expect(fs.readdirSync(folder)).toEqual(['answer']);
  });

  test('leaves a mark known that it must not take out', async () => {
    ask({ otherwise: 'keep', mark: MARK });
    call(`a${MARK}b`);
    await handover.draft('t1', CALL_MS);
    expect(await handover.abandon()).toBe(true);
    await status();
    expect([content(), handover.marks]).toEqual([`a${MARK}b`, [MARK]]);
  });

  test('at once, also by a daemon that did not ask for it', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    call(`a${MARK}b`);
    await handover.draft('t1', CALL_MS);
    const from = Date.now();
    const abandoned = new Handover(folder).abandon();
    await status();
    expect(Date.now() - from).toBeLessThan(1900);
    expect([content(), await abandoned]).toEqual(['ab', true]);
  });

  test('also before it has come', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    expect([handover.isOpen, await handover.abandon()]).toEqual([true, true]);
    call(`a${MARK}b`);
    await status();
    expect(content()).toBe('ab');
  });

  test('also one that comes at that very moment', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    const giveUp = handover.giveUp.bind(handover);
    vi.spyOn(handover, 'giveUp').mockImplementation(() => {
      call(`a${MARK}b`);
      const taken = path.join(folder, 't1.taken');
      execFileSync('sh', ['-c', 'until [ -e "$1" ]; do :; done', 'sh', taken], { timeout: CALL_MS });
      return giveUp();
    });
    const from = Date.now();
    const abandoned = handover.abandon();
    await status();
    expect(Date.now() - from).toBeLessThan(1900);
    expect([await abandoned, content(), handover.isOpen]).toEqual([true, 'ab', false]);
  });

  test('also one that has taken its request and does not listen yet', async () => {
    ask();
    fs.renameSync(path.join(folder, 'request'), path.join(folder, 't1.taken'));
    const abandoned = handover.abandon();
    const { O_RDWR, O_NONBLOCK } = fs.constants;
    const pipe = fs.openSync(path.join(folder, 'answer'), O_RDWR | O_NONBLOCK);
    const told = Buffer.alloc(80);
    const isTold = (): number | undefined => {
      try {
        return fs.readSync(pipe, told);
      } catch {
        return undefined;
      }
    };
    fs.writeFileSync(path.join(folder, 't1.called'), `${file}\n`);
    const length = await until(isTold, 'the answer', 1000);
    fs.closeSync(pipe);
    for (const name of ['raw', 'done']) fs.writeFileSync(path.join(folder, `t1.${name}`), 'keep\n');
    expect([told.toString('utf8', 0, length), await abandoned]).toEqual(['t1 late\n', true]);
    fs.writeFileSync(ended, '');
  });

  test('is waited for once where its script was killed; its mark stays known', async () => {
    fs.mkdirSync(folder);
    for (const name of ['taken', 'called', 'draft']) fs.writeFileSync(path.join(folder, `t1.${name}`), '\n');
    fs.writeFileSync(path.join(folder, 't1.mark'), MARK);
    expect([await handover.abandon(), handover.isOpen, handover.marks]).toEqual([true, false, [MARK]]);
    const from = Date.now();
    expect(await handover.abandon()).toBe(false);
    expect(Date.now() - from).toBeLessThan(1000);
    expect(fs.readdirSync(folder)).toEqual(['t1.mark']);
    fs.writeFileSync(ended, '');
  });
});

test('what a dead daemon left is cleared away, and a person’s own editor that is open stays known', async () => {
  ask();
  fs.writeFileSync(path.join(folder, 'own'), '4711\n');
  call('abc');
  await status();
  await handover.settled();
  expect(handover.ownEditor).toBe(4711);
});

test('a call that has ended is over for the next daemon once the agent has removed its file', async () => {
  ask();
  call('abc');
  await handover.draft('t1', CALL_MS);
  await handover.answer('t1', { kind: 'keep' });
  expect(await status()).toBe('0');
  const settled = new Handover(folder).settled(CALL_MS);
  fs.rmSync(file);
  expect(await settled).toMatchObject({ ended: true });
});

describe('a call that does not come in time', () => {
  test('leaves its mark known until the box has been read', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    expect(await handover.draft('t1', 50)).toBeUndefined();
    handover.giveUp();
    await handover.lateOver();
    expect(handover.marks).toEqual([MARK]);
    handover.forgetMarks();
    expect(handover.marks).toEqual([]);
    call('abc');
    await status();
  });

  test('comes beside the next one: neither opens the own editor', async () => {
    ask();
    handover.giveUp();
    expect(handover.mayBeCalled).toBe(true);
    ask({ token: 't2' });
    call('abc');
    expect(await handover.draft('t2', CALL_MS)).toBe('abc');
    await handover.answer('t2', { kind: 'keep' });
    await status();
    fs.rmSync(ended);
    call('abc');
    await status();
    expect([content(), handover.mayBeCalled]).toEqual(['abc', false]);
  });

  test('is waited for no longer, and gets what the request says when it comes', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    expect(await handover.draft('t1', 50)).toBeUndefined();
    expect(handover.giveUp()).toBe(true);
    const from = Date.now();
    call(`a${MARK}b`);
    await status();
    expect(content()).toBe('ab');
    // At once, not after the time that a daemon has to answer.
    expect(Date.now() - from).toBeLessThan(1900);
  });

  test('is the person’s own from then on, also where its daemon has died', async () => {
    ask({ callMs: -60_000 });
    handover.giveUp();
    call('abc\n');
    await status();
    expect(content()).toBe('abc\nown 2 \n');
  });

  test('and that came at that very moment is not given up', async () => {
    ask();
    call('abc');
    await handover.draft('t1', CALL_MS);
    expect(handover.giveUp()).toBe(false);
    await handover.answer('t1', { kind: 'keep' });
  });

  test('ends with the signal', async () => {
    ask();
    const abort = new AbortController();
    const waiting = handover.draft('t1', CALL_MS, abort.signal);
    abort.abort();
    expect(await waiting).toBeUndefined();
    handover.withdraw('t1');
    call('abc\n');
  });

  test('a new request takes the place of one that was late', async () => {
    ask({ otherwise: 'unmark', mark: MARK });
    handover.giveUp();
    ask({ token: 't2' });
    call(`a${MARK}b`);
    expect(await handover.draft('t2', CALL_MS)).toBe(`a${MARK}b`);
    await handover.answer('t2', { kind: 'keep' });
    await status();
    expect(content()).toBe(`a${MARK}b`);
  });
});
