// A door: an agent's own way to take a message into its running session, without a key and without its input box.
import type { Mode, Speaks } from '../store/index.js';
import type { Disposable, Listener } from '../tmux/index.js';
import type { HookSettings } from './hook-file.js';
import type { Status } from './status.js';

export type Subscribe<T> = (listener: Listener<T>) => Disposable;

export interface DoorLetter {
  id: string;
  // With its header, as the agent is to read it.
  text: string;
  mode: Mode;
  speaks: Speaks;
}

// `now`: it can be handed over; `later`: once the turn is over; `no`: it needs another way in.
export type Carries = { kind: 'now' } | { kind: 'later'; reason: string } | { kind: 'no'; reason: string };

export type Sent =
  // The agent's own queue has it; `received` follows as an event.
  | { outcome: 'accepted'; evidence: string }
  // Provably not taken, and never will be by this call.
  | { outcome: 'refused'; reason: string }
  // It may have been taken: `find` tells.
  | { outcome: 'unknown'; reason: string };

// Where a message is, by the agent's own records. `unknown`: they cannot be read now.
export type Found =
  | { at: 'received'; turn: string | null; evidence: string }
  | { at: 'queue'; evidence: string }
  | { at: 'nowhere'; evidence: string }
  | { at: 'unknown'; reason: string };

export type DoorEvent =
  | { kind: 'received'; id: string; turn: string | null; evidence: string }
  // It left the agent's queue untaken: it may be sent again.
  | { kind: 'returned'; id: string; reason: string }
  | { kind: 'turn_started'; turn: string | null }
  // `turn` null: whichever ran.
  | {
      kind: 'turn_ended';
      turn: string | null;
      how: 'completed' | 'interrupted';
      answer: string | null;
      evidence: string;
    }
  | { kind: 'status'; status: Status }
  | { kind: 'changed' };

export type DoorState =
  // `until`: mail waits for it at least so long, where its agent has only just begun.
  | { kind: 'opening'; since: number; until?: number }
  | { kind: 'open' }
  // For the process that runs now; `reason` is shown to the person.
  | { kind: 'shut'; reason: string };

// For a prompt that is too long for the input box: a line that names it is typed, and the agent's own hook brings the text.
export interface Bell {
  // Leaves the text for the hook, on disk when this returns. False where the hook cannot be counted on: it is typed whole.
  put(letter: Pick<DoorLetter, 'id' | 'text'>): boolean;
  // The line has left the box, and that is on record: what became of it may be told already.
  rung(id: string): void;
  // Nobody is to be given the text any more.
  forget(id: string): void;
}

export interface Door extends Disposable {
  readonly name: string;
  readonly state: DoorState;
  readonly onEvent: Subscribe<DoorEvent>;
  // What it found out before anybody listened.
  readonly status?: Status | undefined;
  carries(letter: Pick<DoorLetter, 'mode' | 'speaks'>): Carries;
  send(letter: DoorLetter): Promise<Sent>;
  find(id: string): Promise<Found>;
  // Undefined for agents that have none.
  readonly bell?: Bell | undefined;
  // Takes it back so that the agent can never take it any more; false when it may have.
  withdraw(id: string): Promise<boolean>;
  // Stops the running turn by the door itself; undefined where only a key can.
  interrupt?(): Promise<boolean>;
}

// One event of an agent's hook, as the spool brought it.
export interface HookEvent {
  event: string;
  at: number;
  body: Readonly<Record<string, unknown>>;
}

// What a door is opened with.
export interface DoorContext {
  session: { id: string; name: string; cwd: string; origin: 'started' | 'adopted' };
  // `begunAt`: where the system tells when the process began.
  program: { pid: number; argv: readonly string[]; begunAt?: number | undefined };
  env: Readonly<Record<string, string>>;
  version: string | null;
  // Private to this session, for what the agent's side and ours exchange.
  folder: string;
  // Facts that a later daemon needs to find the same door again; of the process that runs now.
  facts: Readonly<Record<string, string>>;
  // `told`: not before all that was told until now is on disk, for facts with which a later daemon would not tell it again. What
  // is told must not wait for it in turn.
  saveFacts(facts: Record<string, string>, when?: 'now' | 'told'): Promise<void>;
  onHook: Subscribe<HookEvent>;
  // What an earlier daemon knew of this process.
  status?: Status | undefined;
  // When its pane last printed something, as far as we have followed it.
  printedAt?: () => number | undefined;
  clock: () => number;
  log(message: string, details: Record<string, unknown>): void;
}

// The command line and the environment with which an agent is started by us.
export interface DoorLaunch {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface LaunchContext {
  session: string;
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  version: string | null;
  folder: string;
  // $SM_HOME, and the scripts that agents run from there.
  home: string;
  hooksFolder: string;
  // What the agent is told about mail; null when that is turned off.
  briefing: string | null;
  freePort(): Promise<number>;
}

// How an agent's door is made: at its start, and for a process that runs.
export interface DoorMaker {
  readonly name: string;
  // What the agent runs of ours, by the name under which it is put into the folder of hooks.
  readonly scripts: Readonly<Record<string, URL>>;
  prepare(context: LaunchContext): Promise<DoorLaunch>;
  open(context: DoorContext): Door;
  // For sessions that were not started by us: hooks in the agent's own settings file.
  readonly hooks?: {
    file(env: Readonly<Record<string, string | undefined>>): string;
    ours(places: { home: string; hooks: string }): HookSettings;
  };
  // Its turns run in a server that outlives it: that its process has ended tells nothing of them.
  readonly hasServer?: true;
  // What the records of a process that is gone say of a message. Without this nobody can tell.
  findLast?(facts: Readonly<Record<string, string>>, id: string): Promise<Found>;
  // What a hook of such a process had said before it ended. Undefined: that cannot be told.
  hearLast?(facts: Readonly<Record<string, string>>, hook: HookEvent): DoorEvent[] | undefined;
}
