import { beforeEach, describe, expect, it } from 'vitest';
import { Machine } from '../../test/support/machine.js';
import { Alarm, LONGEST_LOOK_MS, sleepOf } from './alarm.js';

const MINUTE = 60_000;

let machine: Machine;
let due: number[];
let fired: number[];
let logged: string[];
let failing: Error | undefined;

beforeEach(() => {
  machine = new Machine();
  due = [];
  fired = [];
  logged = [];
  failing = undefined;
});

const alarm = () =>
  new Alarm({
    clock: machine.clock,
    next: () => (due.length ? Math.min(...due) : null),
    fire: async () => {
      if (failing) throw failing;
      fired.push(machine.now);
      due = due.filter((at) => at > machine.now);
    },
    log: (message) => void logged.push(message),
    clockwork: machine.clockwork,
  });

describe('sleepOf', () => {
  it('sleeps until the next due time, never longer than the longest look, and for ever where nothing is due', () => {
    expect(sleepOf(null, 500)).toBeUndefined();
    expect(sleepOf(700, 500)).toBe(200);
    expect(sleepOf(500, 500)).toBe(0);
    expect(sleepOf(100, 500)).toBe(0);
    expect(sleepOf(500 + 10 * MINUTE, 500)).toBe(LONGEST_LOOK_MS);
    // Beyond what a timer of the process can count.
    expect(sleepOf(500 + 2 ** 40, 500)).toBe(LONGEST_LOOK_MS);
  });
});

describe('an alarm', () => {
  it('fires at each due time, once', async () => {
    due = [machine.now + 5 * MINUTE, machine.now + 2 * MINUTE];
    const [last, first] = due;
    alarm().look();
    await machine.pass(20 * MINUTE);
    expect(fired).toEqual([first, last]);
  });

  it('costs nothing while nothing is due', async () => {
    const it = alarm();
    it.look();
    expect(machine.pending).toBe(0);
    due = [machine.now + 1000];
    it.look();
    it.look();
    expect(machine.pending).toBe(1);
    await machine.pass(2000);
    expect(fired).toHaveLength(1);
    expect(machine.pending).toBe(0);
    due = [machine.now + 1000];
    it.look();
    due = [];
    it.look();
    expect(machine.pending).toBe(0);
  });

  it('sets itself for an earlier time, and for a later one', async () => {
    due = [machine.now + 10_000];
    const it = alarm();
    it.look();
    due = [machine.now + 1000];
    it.look();
    await machine.pass(1000);
    expect(fired).toHaveLength(1);
    due = [machine.now + 1000];
    it.look();
    due = [machine.now + 5000];
    it.look();
    await machine.pass(4999);
    expect(fired).toHaveLength(1);
    await machine.pass(1);
    expect(fired).toHaveLength(2);
  });

  it('is at most one look late after the machine slept past the time, or its clock was set forward', async () => {
    due = [machine.now + 10 * MINUTE];
    alarm().look();
    await machine.pass(MINUTE);
    machine.jump(60 * MINUTE);
    await machine.pass(LONGEST_LOOK_MS);
    expect(fired).toHaveLength(1);
  });

  it('does not fire early when the clock was set back', async () => {
    due = [machine.now + MINUTE];
    const [at = 0] = due;
    alarm().look();
    machine.jump(-30 * MINUTE);
    await machine.pass(30 * MINUTE);
    expect(fired).toEqual([]);
    await machine.pass(MINUTE);
    expect(fired).toHaveLength(1);
    expect(fired[0]).toBeGreaterThanOrEqual(at);
  });

  it('fires what is overdue at once', async () => {
    due = [machine.now - 60 * MINUTE];
    alarm().look();
    await machine.pass(0);
    expect(fired).toHaveLength(1);
  });

  it('fires one at a time, and looks again for what came meanwhile', async () => {
    const done: (() => void)[] = [];
    let running = 0;
    let most = 0;
    due = [machine.now];
    const it = new Alarm({
      clock: machine.clock,
      next: () => due[0] ?? null,
      fire: async () => {
        running++;
        most = Math.max(most, running);
        due.shift();
        await new Promise<void>((resolve) => done.push(resolve));
        running--;
      },
      log: () => {},
      clockwork: machine.clockwork,
    });
    it.look();
    await machine.pass(0);
    due = [machine.now];
    it.look();
    await machine.pass(1000);
    expect(done).toHaveLength(1);
    done[0]?.();
    await new Promise(setImmediate);
    await machine.pass(1000);
    expect(done).toHaveLength(2);
    expect(most).toBe(1);
  });

  it('says that it failed, and tries again after a rest', async () => {
    due = [machine.now];
    failing = new Error('no disk');
    alarm().look();
    await machine.pass(5000);
    expect(logged.length).toBeGreaterThan(1);
    expect(logged.length).toBeLessThan(10);
    failing = undefined;
    await machine.pass(1000);
    expect(fired).toHaveLength(1);
    expect(machine.pending).toBe(0);
  });

  it('is silent once it is disposed of', async () => {
    due = [machine.now + 1000];
    const it = alarm();
    it.look();
    await it.dispose();
    it.look();
    await machine.pass(5000);
    expect(fired).toEqual([]);
    expect(machine.pending).toBe(0);
  });
});
