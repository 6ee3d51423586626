// One session's pane, watched: how far up it is looked, what is tried again, and what goes on without the agent's record.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session, Tracker } from '../sessions/index.js';
import type { SignalMarkRow, SignalMarkTable, Step } from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { MOST_HELD } from './held-output.js';
import { MOST_REMEMBERED } from './occurrences.js';
import { MOST_WAITING, Watch, type WatchDeps } from './watch.js';

const mark = (message: string): string => `--<[sm:completed:${message}]>--`;
const HEIGHT = 5;

// A pane of which the scrollback and the screen are told.
class Pane {
  readonly id = '%1';
  readonly output = new Emitter<Buffer>();
  readonly resync = new Emitter<void>();
  readonly onOutput = this.output.event;
  rows: string[] = [];
  gate: Promise<void> = Promise.resolve();
  looks = 0;
  readonly link = {
    sessionId: '$1',
    onResync: (_: string, listener: () => void) => this.resync.event(listener),
    list: async (commands: readonly string[], seen: () => void) => {
      this.looks++;
      const history = Number(/-S -(\d+)/.exec(commands[1] ?? '')?.[1]);
      await this.gate;
      seen();
      const shown = this.rows.slice(-HEIGHT - history);
      const head = `0 0 ${Math.min(HEIGHT, shown.length) - 1} 80 ${Math.min(HEIGHT, shown.length)}`;
      return [[head], shown, []].map((lines) => ({
        ok: true,
        lines: lines.map((line) => Buffer.from(line)),
      }));
    },
  };
  print(...lines: string[]): void {
    this.rows = [...this.rows, ...lines];
    this.output.fire(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
  }
}

let pane: Pane;
let watch: Watch | undefined;
let reports: string[];
let misses: string[];
let logs: string[];
let report: WatchDeps['report'];
let known: SignalMarkRow[];
let profile: Partial<Session['profile']>;
let folder: string;

beforeEach(() => {
  vi.useFakeTimers();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smw-'));
  pane = new Pane();
  [reports, misses, logs, known, profile] = [[], [], [], [], {}];
  report = async ({ message }) => {
    reports.push(message);
    return { outcome: 'refused', field: 'state', value: '', expected: '', reason: '' };
  };
});
afterEach(() => {
  watch?.dispose();
  vi.useRealTimers();
  fs.rmSync(folder, { recursive: true });
});

function start(): void {
  const row = { created_at: 0, origin: 'started', epoch: 1 };
  const session = { id: 's', row, profile, doorFacts: {} } as unknown as Session;
  watch = new Watch(session, { pane } as unknown as Tracker, {
    table: { of: () => known, record: () => undefined } as unknown as SignalMarkTable,
    watchedUntil: 0,
    isState: () => true,
    isMail: () => false,
    prompt: () => '',
    clock: () => Date.now(),
    write: async () => {},
    report: (one, beside) => report(one, beside),
    missed: (line) => misses.push(line),
    log: (message) => logs.push(message),
  });
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const recorded = (message: string): SignalMarkRow => ({
  session: 's',
  seq: 1,
  state: 'completed',
  message,
  id: null,
  context: 'the words before it',
  at: 1,
  entry: 'e',
  is_report: 1,
  is_copied: 0,
  also: '[]',
  columns: 0,
});
const filler = (count: number): string[] => Array.from({ length: count }, (_, i) => `row ${i} of the text`);

describe('a watch', () => {
  it('finds what was said while nobody listened, however far up', async () => {
    pane.rows = [mark('far up'), ...filler(400), mark('in sight'), 'end'];
    start();
    await pass(2000);
    expect(reports).toEqual(['far up', 'in sight']);
  });

  it('reaches as far up while the record of its agent is waited for', async () => {
    known = [recorded('x')];
    profile = { record: { file: () => undefined, said: () => undefined } };
    pane.rows = [mark('far up'), ...filler(400)];
    start();
    await pass(5000);
    expect(reports).toEqual(['far up']);
  });

  it('knows after a restart that the record would have what is said again', async () => {
    known = [recorded('said')];
    profile = { record: { file: () => undefined, said: () => undefined } };
    pane.rows = ['quite other words before it', mark('said')];
    start();
    await pass(5000);
    expect(reports).toEqual([]);
  });

  it('tries again what could not be written', async () => {
    start();
    await pass(1000);
    const works = report;
    report = async () => {
      throw new Error('disk full');
    };
    pane.print('text', mark('kept'), 'more');
    await pass(1000);
    expect(logs).toEqual(['marker not saved']);
    report = works;
    await pass(10_000);
    expect(reports).toEqual(['kept']);
  });

  it('looks when the screen has come to rest though it was being looked at', async () => {
    start();
    await pass(1000);
    let open = (): void => {};
    pane.gate = new Promise((resolve) => {
      open = resolve;
    });
    pane.output.fire(Buffer.from('\x1b[H'));
    pane.print(mark('painted'));
    await pass(2000);
    const { looks } = pane;
    open();
    await pass(0);
    expect(pane.looks).toBe(looks + 1);
    expect(reports).toEqual(['painted']);
  });

  it('looks at the screen though the record cannot be read, and says so once', async () => {
    profile = { record: { file: () => path.join(folder, 'a'), said: () => undefined } };
    fs.writeFileSync(path.join(folder, 'a'), 'x\n');
    vi.spyOn(fs.promises, 'open').mockRejectedValue(Object.assign(new Error('no'), { code: 'EACCES' }));
    start();
    pane.print('\x1b[H', mark('one'));
    await vi.waitFor(async () => {
      await pass(100);
      expect(reports).toEqual(['one']);
    });
    expect(logs).toEqual(['record not read']);
    vi.restoreAllMocks();
  });

  // Each report is on disk when it is asked for, as one after the other is.
  const slowly = (): { drain: () => Promise<void> } => {
    const waiting: (() => void)[] = [];
    const works = report;
    report = async (one, beside) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return works(one, beside);
    };
    const drain = async (): Promise<void> => {
      while (waiting.length > 0) {
        waiting.shift()?.();
        await Promise.resolve();
      }
      await pass(100);
      if (waiting.length > 0) await drain();
    };
    return { drain };
  };
  const burst = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, i) => mark(`no ${from + i}`));
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `no ${i}`);

  it('lets only so many wait to be written, and loses and doubles none of a burst', async () => {
    start();
    await pass(1000);
    let asked = 0;
    const { drain } = slowly();
    const slow = report;
    report = (one, beside) => {
      asked++;
      return slow(one, beside);
    };
    for (let at = 0; at < 4000; at += 100) pane.print(...burst(at, 100));
    await pass(2000);
    expect(asked).toBe(MOST_WAITING);
    await drain();
    await pass(2000);
    await drain();
    expect(reports).toEqual(numbers(4000));
    expect(misses).toEqual([]);
  });

  it('keeps apart those of a burst that look alike', async () => {
    start();
    await pass(1000);
    const { drain } = slowly();
    for (let i = 0; i < 25; i++) pane.print(...Array.from({ length: 100 }, () => mark('tick')));
    await pass(2000);
    await drain();
    await pass(2000);
    expect(reports).toHaveLength(2500);
  });

  it('finds in the scrollback what was too much to be held', async () => {
    start();
    await pass(1000);
    const { drain } = slowly();
    for (let at = 0; at < 1200; at += 100) pane.print(...burst(at, 100));
    pane.output.fire(Buffer.alloc(MOST_HELD));
    pane.print(...burst(1200, 700));
    await pass(2000);
    await drain();
    await pass(3000);
    await drain();
    expect(reports).toEqual(numbers(1900));
    expect(misses).toEqual([]);
  });

  it('reads what it has of a burst though a gap comes behind it, and finds what came after in the scrollback', async () => {
    start();
    await pass(1000);
    const { drain } = slowly();
    for (let at = 0; at < 3000; at += 100) pane.print(...burst(at, 100));
    // Never told: it is on the screen alone.
    pane.rows = [...pane.rows, ...burst(3000, 200)].slice(-600);
    pane.resync.fire();
    pane.print(...burst(3200, 100));
    await pass(2000);
    await drain();
    await pass(3000);
    await drain();
    expect(reports).toEqual(numbers(3300));
  });

  it('tries a burst again that could not be written, and none of what was', async () => {
    start();
    await pass(1000);
    const works = report;
    report = (one, beside) => {
      known = [...known, { ...recorded(one.message), ...markOf(beside) }].slice(-MOST_REMEMBERED);
      return works(one, beside);
    };
    const whole = report;
    pane.print(...burst(0, 400));
    await pass(1000);
    report = async () => {
      throw new Error('disk full');
    };
    pane.print(...burst(400, 500));
    await pass(1000);
    report = whole;
    await pass(10_000);
    expect(reports).toEqual(numbers(900));
  });

  it('knows after a restart what it reported of a burst, though few of it are remembered', async () => {
    pane.rows = burst(0, 900);
    known = [{ ...recorded('no 700'), seq: 1200, entry: null, context: 'smcompletedno698smcompletedno699' }];
    start();
    await pass(3000);
    expect(reports).toEqual(numbers(900).slice(701));
  });
});

// What is remembered of a marker, out of the steps that write it.
function markOf(steps: readonly Step[]): Partial<SignalMarkRow> {
  const [, seq, , , , context] = steps[0]?.values ?? [];
  return { seq: seq as number, context: context as string, entry: null };
}
