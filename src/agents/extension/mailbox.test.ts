// Both sides of an extension's folder: a message is had by one of them, and what is said is heard once, also later.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Journal } from './journal.js';
import { findLast } from './last.js';
import { Outbox } from './outbox.js';
import type { Said } from './said.js';

const ID = '0123456789ab';
// A plain module without types of its own.
const { Mailbox, idsIn } = await import(new URL('./mailbox.mjs', import.meta.url).href);

let door: string;
let place: string;
beforeEach(() => {
  door = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-mailbox-'));
  place = path.join(door, '7');
});
afterEach(() => fs.rmSync(door, { recursive: true, force: true }));

const letter = { id: ID, text: 'a text', mode: 'sequential' as const };
const received = { kind: 'received', turn: 't', evidence: 'e' };

describe('a message', () => {
  test('goes to whoever takes it first', () => {
    const box = new Mailbox(place);
    const outbox = new Outbox(place);
    outbox.put(letter);
    expect(outbox.where(ID)).toBe('put');
    expect(box.claim()).toEqual(letter);
    expect(outbox.where(ID)).toBe('taken');
    expect(outbox.takeBack(ID)).toBe(false);
    expect(box.held()).toEqual([letter]);
    box.settle(ID, received);
    expect(outbox.where(ID)).toBe('none');
  });

  test('that was taken back is never taken', () => {
    const box = new Mailbox(place);
    const outbox = new Outbox(place);
    outbox.put(letter);
    expect(outbox.takeBack(ID)).toBe(true);
    expect(box.claim()).toBeUndefined();
  });

  test('is not found by the next process', () => {
    new Mailbox(place);
    new Outbox(place).put(letter);
    expect(new Mailbox(path.join(door, '8')).claim()).toBeUndefined();
  });

  test('and everything about it is private', () => {
    const box = new Mailbox(place);
    box.hello();
    new Outbox(place).put(letter);
    for (const name of ['said.jsonl', `inbox/${ID}.msg`])
      expect(fs.statSync(path.join(place, name)).mode & 0o077).toBe(0);
    expect(fs.statSync(path.join(place, 'inbox')).mode & 0o077).toBe(0);
  });
});

test('a request to stop is seen once', () => {
  const box = new Mailbox(place);
  new Outbox(place).askToStop('now');
  expect(box.stops()).toEqual(['now']);
  expect(box.stops()).toEqual([]);
});

test('ids are those of our header alone', () => {
  expect(idsIn(`[Input from: a (b) via sm send] #${ID}\ntext`)).toEqual([ID]);
  expect(idsIn(`#${ID}`)).toEqual([]);
});

describe('what is said', () => {
  const listen = (): { kinds: string[]; told: boolean[]; journal: Journal } => {
    const kinds: string[] = [];
    const told: boolean[] = [];
    const journal = new Journal(place, (said: Said, isTold) => {
      kinds.push(said.kind);
      told.push(isTold);
    });
    journal.read();
    return { kinds, told, journal };
  };

  test('is heard in order, each once, and half a line not yet', () => {
    const box = new Mailbox(place);
    box.hello();
    const { kinds, journal } = listen();
    fs.appendFileSync(path.join(place, 'said.jsonl'), '{"at":1,"kind":"que');
    journal.read();
    fs.appendFileSync(path.join(place, 'said.jsonl'), `ued","id":"${ID}"}\n`);
    box.say({ kind: 'bye' });
    journal.read();
    expect(kinds).toEqual(['hello', 'queued', 'bye']);
    expect(journal.wordOn(ID)?.kind).toBe('queued');
  });

  test('is not told again but for the last turn', () => {
    const box = new Mailbox(place);
    for (const turn of ['a', 'b']) {
      box.say({ kind: 'turn_started', turn });
      box.say({ kind: 'turn_ended', turn, how: 'completed', answer: null, evidence: 'e' });
    }
    expect(listen().told).toEqual([false, false, false, false]);
    expect(listen().told).toEqual([true, true, false, false]);
  });

  test('outlives the process', async () => {
    const box = new Mailbox(place);
    box.settle(ID, received);
    expect(await findLast({}, { place }, ID)).toEqual({ at: 'received', turn: 't', evidence: 'e' });
    expect((await findLast({}, { place }, 'ffffffffffff')).at).toBe('nowhere');
    expect((await findLast({}, {}, ID)).at).toBe('unknown');
  });

  describe('by one that was killed', () => {
    const SLOW = { unrecordedMs: 2000 };
    const at = async (...lines: object[]) => {
      const box = new Mailbox(place);
      for (const line of lines) box.say(line);
      return (await findLast(SLOW, { place }, ID)).at;
    };
    const handed = { kind: 'handed', id: ID };
    const ended = { kind: 'turn_ended', turn: 't', how: 'completed', answer: null, evidence: 'e' };

    test('does not prove that it was not taken just then', async () => {
      expect(await at(handed)).toBe('unknown');
      expect(await at({ kind: 'queued', id: ID })).toBe('unknown');
      expect(await at({ kind: 'bye', at: Date.now() + 1000 })).toBe('unknown');
      expect(await at({ kind: 'returned', id: ID, reason: 'r' })).toBe('nowhere');
    });

    test('proves it when it lived on without a word, or the turn before has not ended', async () => {
      expect(await at({ ...handed, at: Date.now() - 3000 })).toBe('nowhere');
      expect(await at({ ...handed, behind: 't' })).toBe('nowhere');
      expect(await at(ended)).toBe('unknown');
      expect(await at({ ...handed, at: 5000 }, { kind: 'bye', at: 8000 })).toBe('nowhere');
    });
  });

  test('names every file of its conversations', async () => {
    const box = new Mailbox(place);
    box.hello('one');
    box.hello('two');
    const received = { at: 'received', turn: 't', evidence: 'e' } as const;
    const nowhere = { at: 'nowhere', evidence: 'e' } as const;
    const inRecords = async (file: string) => (file === 'one' ? received : nowhere);
    expect((await findLast({ inRecords }, { place }, ID)).at).toBe('received');
  });
});
