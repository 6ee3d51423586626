// No second Ctrl-C within the window, whoever pressed the first and whatever happened in between.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InterruptJournal, InterruptWindow, mayInterrupt, TAKEN_MS } from './interrupt-window.js';

const PROFILE = { exitWindowMs: 2000, exitsWhenEmpty: false };

class Journal implements InterruptJournal {
  constructor(
    public at: number | null = null,
    readonly writing: () => Promise<void> = async () => {},
  ) {}
  lastInterruptAt(): number | null {
    return this.at;
  }
  async willInterrupt(at: number): Promise<void> {
    this.at = at;
    await this.writing();
  }
}

class Clock {
  now = 1_000_000;
  readonly read = () => this.now;
}

function windowOf(journal: InterruptJournal, clock: Clock, quietSince = () => 0): InterruptWindow {
  return new InterruptWindow({ journal, quietSince }, PROFILE, clock.read);
}

describe('asking', () => {
  test.each([
    ['nobody ever pressed one', null, 0, 'now'],
    ['ours was a moment ago', 999_000, 0, 'ours'],
    ['ours was just within the window', 998_001, 0, 'ours'],
    ['ours was a window ago', 998_000, 0, 'now'],
    ['ours may not be taken yet', 1_020_000, 0, 'ours'],
    ['the person pressed a key a moment ago', null, 999_500, 'theirs'],
    ['the person has been quiet for a window', null, 998_000, 'now'],
  ])('%s', (_, last, quietSince, expected) => {
    const permission = mayInterrupt(last, quietSince, PROFILE, 1_000_000);
    expect(permission.kind === 'now' ? 'now' : permission.whose).toBe(expected);
  });
});

describe('pressing', () => {
  test('the journal has it before the key goes out, and until it is seen as taken it counts as ahead', async () => {
    const clock = new Clock();
    const journal = new Journal();
    const window = windowOf(journal, clock);
    let before: number | null = null;
    await window.through(async () => {
      before = journal.at;
      return true;
    });
    expect(before).toBe(clock.now + TAKEN_MS);
    clock.now += 10_000;
    expect(window.ask().kind).toBe('wait');
    await window.taken();
    expect(journal.at).toBe(clock.now);
    clock.now += 2000;
    expect(window.ask().kind).toBe('now');
  });

  test('a key that was refused does not count', async () => {
    const clock = new Clock();
    const journal = new Journal(5);
    expect(await windowOf(journal, clock).through(async () => false)).toEqual({ kind: 'now' });
    expect(journal.at).toBe(5);
    const fresh = new Journal();
    await windowOf(fresh, clock).through(async () => false);
    expect(windowOf(fresh, clock).ask().kind).toBe('now');
  });

  test('a key that may have gone out counts', async () => {
    const clock = new Clock();
    const journal = new Journal();
    const lost = windowOf(journal, clock).through(async () => {
      throw new Error('the link broke');
    });
    await expect(lost).rejects.toThrow('the link broke');
    expect(windowOf(journal, clock).ask().kind).toBe('wait');
  });

  test('a person who presses a key while the journal is written stops it', async () => {
    const clock = new Clock();
    let key = 0;
    const journal = new Journal(null, async () => {
      key = clock.now;
    });
    let pressed = 0;
    const window = windowOf(journal, clock, () => key);
    const permission = await window.through(async () => ++pressed > 0);
    expect(permission).toMatchObject({ kind: 'wait', whose: 'theirs' });
    expect(pressed).toBe(0);
  });

  test('a clock that was set back by hours makes it wait seconds', async () => {
    const clock = new Clock();
    const window = windowOf(new Journal(clock.now + 3_600_000), clock);
    await window.mend();
    expect(window.ask()).toEqual({ kind: 'wait', whose: 'ours', until: clock.now + TAKEN_MS + 2000 });
    clock.now += TAKEN_MS + 2000;
    expect(window.ask().kind).toBe('now');
  });

  test('any number of senders, at any times, in any order', async () => {
    const attempt = fc.record({
      wait: fc.integer({ min: 0, max: 3000 }),
      writing: fc.integer({ min: 0, max: 500 }),
      fate: fc.constantFrom('taken', 'refused', 'unseen', 'lost'),
      senders: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 40 }), async (attempts) => {
        const clock = new Clock();
        let writing = 0;
        const journal = new Journal(null, async () => {
          clock.now += writing;
        });
        const pressed: number[] = [];
        for (const { wait, writing: ms, fate, senders } of attempts) {
          clock.now += wait;
          writing = ms;
          const press = async (): Promise<boolean> => {
            if (fate === 'refused') return false;
            pressed.push(clock.now);
            if (fate === 'lost') throw new Error('lost');
            return true;
          };
          // Each with nothing but the journal to go by, as after a restart.
          const before = pressed.length;
          const all = Array.from({ length: senders }, () => windowOf(journal, clock));
          await Promise.all(all.map((window) => window.through(press).catch(() => {})));
          if (fate === 'taken' && pressed.length > before) await all[0]?.taken();
        }
        pressed.slice(1).forEach((at, i) => {
          expect(at - (pressed[i] as number)).toBeGreaterThanOrEqual(PROFILE.exitWindowMs);
        });
      }),
      { numRuns: 300 },
    );
  });
});
