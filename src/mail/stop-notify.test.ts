// Where an agent does not tell which turn took what, its sender hears of a stop: by its state in two phases, else by its screen.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import type { Status } from '../agents/index.js';
import type { Tracker } from '../sessions/index.js';
import { type MessageRow, type NewMessage, StopWatches } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';
import { Notifier } from './notifier.js';
import { StopNotify } from './stop-notify.js';

// Longer than a machine under load is likely to pause.
const QUIET_MS = 400;

let clerk: ClerkDesk;
let stops: StopNotify;
let notifier: Notifier;

beforeEach(async () => {
  clerk = await ClerkDesk.open();
  // Nothing will ever be shown.
  clerk.desk.telling.clear();
  begin();
});
afterEach(async () => {
  await end();
  await clerk.desk.close();
});

function begin(): void {
  const { speaker, desk } = clerk;
  stops = new StopNotify({ speaker, doors: desk.doors, quietMs: QUIET_MS });
  notifier = new Notifier({ speaker, stops, doors: desk.doors, timed: () => {} });
}
async function end(): Promise<void> {
  await notifier.dispose();
  await stops.dispose();
}

async function settled(): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await clerk.desk.store.write([]);
    await new Promise(setImmediate);
  }
}

const becomes = async (state: Status['state']): Promise<void> => {
  const status = { epoch: 1, state, since: clerk.machine.now++, source: 'hook', detail: null };
  clerk.desk.becomes({ status: JSON.stringify(status) });
  await settled();
};

const send = async (more: Partial<NewMessage> = {}): Promise<MessageRow> => {
  clerk.machine.now++;
  const row = await clerk.desk.message({
    text: 'do task Y',
    notify: { onDelivery: false, after: null, onStop: true, quiet: false },
    ...more,
  });
  const after = await clerk.desk.attempted(row, 'direct', { kind: 'submitted', evidence: 'box_empty' });
  await settled();
  return after;
};
const phases = (): string[] => new StopWatches(clerk.desk.store).of('s').map(({ phase }) => phase);
const told = (to = 'other'): number =>
  clerk.texts(to).filter((text) => text.startsWith('[sm] s (s) has stopped')).length;

describe('by its state', () => {
  test('typed in mid-turn: the stop of Task X arms it, the stop of Task Y tells it', async () => {
    await becomes('busy');
    await send();
    expect(phases()).toEqual(['buffered']);
    await becomes('idle');
    expect([phases(), told()]).toEqual([['armed'], 0]);
    await becomes('busy');
    await becomes('idle');
    expect([phases(), told()]).toEqual([[], 1]);
    await becomes('busy');
    await becomes('idle');
    expect(told()).toBe(1);
  });

  test('the stop of Task X is lost: told at the stop of Task Z, one task late', async () => {
    await becomes('busy');
    await send();
    // Task X ends unheard, Task Y begins unheard.
    await becomes('idle');
    expect([phases(), told()]).toEqual([['armed'], 0]);
    await becomes('busy');
    await becomes('idle');
    expect(told()).toBe(1);
  });

  test('typed while it rests: the next stop is its own', async () => {
    await becomes('idle');
    await send();
    expect(phases()).toEqual(['armed']);
    await becomes('busy');
    // At a dialog it is in the middle of its turn.
    await becomes('waiting');
    expect(told()).toBe(0);
    await becomes('idle');
    expect(told()).toBe(1);
  });

  test('its door shuts after it was typed: what the door would have told, its state tells', async () => {
    const { desk } = clerk;
    desk.telling.add(1);
    await becomes('idle');
    await send();
    expect(phases()).toEqual([]);
    desk.telling.clear();
    desk.heard.fire({ session: desk.session, event: { kind: 'changed' }, epoch: 1, until: () => {} });
    await settled();
    await becomes('busy');
    await becomes('idle');
    expect([phases(), told()]).toEqual([[], 1]);
  });

  test('a turn that is over before its submit is recorded', async () => {
    await becomes('idle');
    const row = await clerk.desk.message({
      notify: { onDelivery: false, after: null, onStop: true, quiet: false },
    });
    clerk.machine.now++;
    const trying = await clerk.desk.attempted(row, 'direct');
    clerk.machine.now++;
    await becomes('busy');
    await becomes('idle');
    await clerk.desk.ledger.record(trying, { kind: 'submitted', evidence: 'box_empty' });
    await settled();
    expect(told()).toBe(1);
  });

  test('any number of senders', async () => {
    await clerk.add('third');
    await becomes('idle');
    await send();
    await becomes('busy');
    await send({ senderSession: 'third', senderName: 'third' });
    await becomes('idle');
    expect([told('other'), told('third')]).toEqual([1, 0]);
    await becomes('busy');
    await becomes('idle');
    expect([told('other'), told('third')]).toEqual([1, 1]);
  });

  test('a command, which carries no id that an agent could show, also where it tells of turns', async () => {
    clerk.desk.telling.add(1);
    await becomes('idle');
    await send({ command: true });
    await becomes('busy');
    await becomes('idle');
    expect(told()).toBe(1);
  });

  test('across a restart: what rests now has stopped meanwhile', async () => {
    await becomes('idle');
    await send();
    await becomes('busy');
    await end();
    await becomes('idle');
    for (let i = 0; i < 2; i++) {
      begin();
      stops.start();
      notifier.start();
      await settled();
      await end();
    }
    begin();
    expect(told()).toBe(1);
  });

  test('the daemon died before it began to watch', async () => {
    await end();
    await becomes('idle');
    await send();
    begin();
    stops.start();
    notifier.start();
    await settled();
    expect(phases()).toEqual(['armed']);
  });
});

test.each<[string, MessageEvent[]]>([
  ['typed', [{ kind: 'submitted', evidence: 'box_empty' }]],
  [
    'shown',
    [
      { kind: 'submitted', evidence: 'box_empty' },
      { kind: 'received', turn: 't', evidence: 'hook' },
    ],
  ],
])(
  'its agent might have told, and ends: whoever waits for what was %s hears of that, once',
  async (_, events) => {
    clerk.desk.telling.add(1);
    const notify = { onDelivery: false, after: null, onStop: true, quiet: false };
    await clerk.desk.attempted(await clerk.desk.message({ text: 'do task Y', notify }), 'direct', ...events);
    await becomes('busy');
    expect(clerk.texts('other')).toEqual([]);
    clerk.desk.telling.clear();
    clerk.desk.becomes({ state: 'ended' });
    await settled();
    clerk.desk.becomes({ state: 'gone' });
    await settled();
    expect(clerk.texts('other')).toHaveLength(1);
    expect(clerk.texts('other')[0]).toContain('ended');
  },
);

test('where its agent may tell of the turn itself, nothing is guessed', async () => {
  clerk.desk.telling.add(1);
  await becomes('idle');
  await send();
  await becomes('busy');
  await becomes('idle');
  expect([phases(), told()]).toEqual([[], 0]);
});

describe('by its screen', () => {
  let printedAt: number;
  const prints = (): void => {
    printedAt = clerk.machine.now;
    clerk.desk.happened.fire({ type: 'stirred', session: clerk.desk.session });
  };
  beforeEach(() => {
    // The clock of the machine is the real one here: quiet is a matter of time.
    const begun = Date.now() - clerk.machine.now;
    Object.defineProperty(clerk.machine, 'now', { get: () => Date.now() - begun });
    printedAt = clerk.machine.now;
    Object.defineProperty(clerk.desk.session, 'tracker', {
      get: () => ({ lastOutputAt: printedAt }) as unknown as Tracker,
    });
  });

  const sendNow = async (): Promise<void> => {
    const row = await clerk.desk.message({
      notify: { onDelivery: false, after: null, onStop: true, quiet: false },
    });
    await clerk.desk.attempted(row, 'direct', { kind: 'submitted', evidence: 'box_empty' });
    await settled();
  };

  test('it has stopped when it prints nothing any more, and not while it prints', async () => {
    prints();
    await sendNow();
    const end = Date.now() + 2.5 * QUIET_MS;
    while (Date.now() < end) {
      prints();
      expect(told()).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS / 20));
    }
    await expect.poll(() => told(), { timeout: 5000 }).toBe(1);
    expect(phases()).toEqual([]);
    prints();
    await new Promise((resolve) => setTimeout(resolve, 1.5 * QUIET_MS));
    expect(told()).toBe(1);
  });
});

test.each([
  ['its program ends', () => clerk.desk.becomes({ state: 'ended' })],
  ['another has its pane', () => clerk.desk.becomes({ epoch: 2 })],
  ['its session is removed', () => clerk.remove('s')],
])('%s: its sender does not wait for ever', async (_, happens) => {
  await becomes('busy');
  await send();
  await happens();
  await settled();
  expect(clerk.texts('other')).toEqual([expect.stringContaining('has ended')]);
  expect(phases()).toEqual([]);
});

test('a sender that has gone is left out, and the others hear of it', async () => {
  await clerk.add('third');
  await becomes('idle');
  await send();
  await send({ senderSession: 'third', senderName: 'third' });
  await clerk.remove('other');
  await becomes('busy');
  await becomes('idle');
  expect(told('third')).toBe(1);
  expect(clerk.logged).toEqual(['not said: whoever asked for it has gone']);
  expect(phases()).toEqual([]);
});
