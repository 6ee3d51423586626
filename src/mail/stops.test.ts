// Both traces of the second design, literally, and what follows from having any number of senders.
import { describe, expect, it } from 'vitest';
import { next, type StopEvent, type Watch } from './stops.js';

// After each event: who is buffered, who is armed, who was told.
function run(
  events: readonly StopEvent[],
): { buffered: string[]; armed: string[]; told: readonly string[] }[] {
  let watches: readonly Watch[] = [];
  return events.map((event) => {
    const after = next(watches, event);
    ({ watches } = after);
    const of = (phase: Watch['phase']) =>
      watches.filter((one) => one.phase === phase).map(({ message_id }) => message_id);
    return { buffered: of('buffered'), armed: of('armed'), told: after.told };
  });
}

const STOPPED: StopEvent = { kind: 'stopped' };
const submitted = (message: string, agent: 'working' | 'idle' | 'unknown'): StopEvent => ({
  kind: 'submitted',
  message,
  agent,
});

describe('a message typed in mid-turn', () => {
  it('trace: normal mid-turn paste', () => {
    expect(
      run([
        // 1. Paste (is_idle=False).
        submitted('a', 'working'),
        // 2. Task X stops: nothing is told, the watch is promoted. 3. Task Y starts. 4. Task Y stops.
        STOPPED,
        STOPPED,
      ]),
    ).toEqual([
      { buffered: ['a'], armed: [], told: [] },
      { buffered: [], armed: ['a'], told: [] },
      { buffered: [], armed: [], told: ['a'] },
    ]);
  });

  it("trace: hook-loss, where Task X's stop is never heard: told one task late, but told", () => {
    expect(
      run([
        // 1. Paste (is_idle=False). 2. Task X's stop is lost, Task Y starts.
        submitted('a', 'working'),
        // 3. Task Y stops: promoted. 4. Task Z stops: told.
        STOPPED,
        STOPPED,
      ]).map(({ told }) => told),
    ).toEqual([[], [], ['a']]);
  });

  it('is told at its own end however long the running task takes: there is no time in this', () => {
    expect(run([submitted('a', 'working'), STOPPED]).at(-1)?.told).toEqual([]);
  });
});

it.each(['idle', 'unknown'] as const)(
  'a message typed while its agent is %s is told at the next stop',
  (agent) => {
    expect(run([submitted('a', agent), STOPPED, STOPPED])).toEqual([
      { buffered: [], armed: ['a'], told: [] },
      { buffered: [], armed: [], told: ['a'] },
      { buffered: [], armed: [], told: [] },
    ]);
  },
);

it('any number of senders: a stop first tells the armed, then arms the buffered', () => {
  expect(
    run([
      submitted('a', 'idle'),
      submitted('b', 'working'),
      submitted('c', 'working'),
      STOPPED,
      submitted('d', 'working'),
      STOPPED,
      STOPPED,
    ]).map(({ told }) => told),
  ).toEqual([[], [], [], ['a'], [], ['b', 'c'], ['d']]);
});

it('nobody waits for a process that has ended', () => {
  expect(run([submitted('a', 'idle'), submitted('b', 'working'), { kind: 'ended' }]).at(-1)).toEqual({
    buffered: [],
    armed: [],
    told: ['a', 'b'],
  });
});
