// What the tests of the hold share: a pane that records, persons at it, and what tmux must look like when a hold is over.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { Person } from '../../src/cli/demo/person.js';
import {
  HOLD_WATCH,
  type HoldPlan,
  type HoldStart,
  holdKeys,
  type KeyHold,
  type Pane,
} from '../../src/tmux/index.js';
import { TestTmux, until } from './tmux.js';

export interface Recorder {
  pane: Pane;
  bytes(): Buffer;
}

export const PACE = { stepMs: 1, enterMs: 10 };
export const freshToken = (): string => randomBytes(6).toString('hex');

export class HoldStage {
  readonly tmux = new TestTmux();
  readonly #persons: Person[] = [];
  readonly #holds: KeyHold[] = [];

  recorder(name: string, ...flags: string[]): Promise<Recorder> {
    return this.tmux.recorder(name, ...flags);
  }

  async person(target: string): Promise<Person> {
    const person = await Person.attach(['-L', this.tmux.name], target);
    this.#persons.push(person);
    return person;
  }

  start(pane: Pane, plan: Partial<HoldPlan> = {}): Promise<HoldStart> {
    return holdKeys({
      pane,
      token: freshToken(),
      ownClients: this.tmux.server.ownClientPids,
      pace: PACE,
      maxMs: 20_000,
      watch: { script: HOLD_WATCH, rescue: [] },
      ...plan,
    });
  }

  async hold(pane: Pane, plan: Partial<HoldPlan> = {}): Promise<KeyHold> {
    const start = await this.start(pane, plan);
    if (start.outcome !== 'held') throw new Error(`not held: ${start.reason} ${start.detail}`);
    this.#holds.push(start.hold);
    return start.hold;
  }

  // After a test, that one which failed does not spoil the next.
  async tidy(): Promise<void> {
    for (const hold of this.#holds.splice(0)) await hold.release().catch(() => {});
    for (const person of this.#persons.splice(0)) await person.leave();
  }

  async refusal(pane: Pane): Promise<string> {
    const start = await this.start(pane);
    if (start.outcome === 'refused') return start.reason;
    await start.hold.release();
    return 'none';
  }

  // Everything that a hold could leave behind in tmux.
  traces(): string {
    const environment = this.tmux.run('show-environment', '-gh');
    const tables = this.tmux.run('list-keys').split('\n');
    const sessions = this.tmux.run('list-sessions', '-F', '#{session_id}').split('\n');
    return [
      ...environment.split('\n').filter((line) => line.startsWith('SMHOLD')),
      ...tables.filter((line) => line.includes('smhold')),
      ...sessions.flatMap((id) =>
        ['key-table', 'assume-paste-time', 'prefix', 'prefix2'].map((option) =>
          this.tmux.run('show-options', '-t', id, option),
        ),
      ),
    ]
      .filter(Boolean)
      .join('\n');
  }

  async dispose(): Promise<void> {
    await this.tidy();
    this.tmux.dispose();
  }
}

// The recorder has got exactly these bytes, and no more come.
export async function arrives(recorder: Recorder, expected: string | Buffer): Promise<void> {
  const wanted = Buffer.from(expected);
  await until(() => recorder.bytes().length >= wanted.length, `${wanted.length} bytes`, 8000).catch(() => {});
  await settled();
  expect(recorder.bytes().toString('latin1')).toBe(wanted.toString('latin1'));
}

// Bytes on their way from a person's terminal through two tmux servers; measured at a few milliseconds.
const ON_THE_WAY_MS = 120;
export const settled = (ms = ON_THE_WAY_MS): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
