// One session in memory: its row on disk, and the tracker of its pane while there is one.
import { GENERIC, type Profile, type Profiles, type Status } from '../agents/index.js';
import type { ComposerMemory } from '../composer/index.js';
import { NEW_COMPOSER } from '../composer/index.js';
import type { SessionRow } from '../store/index.js';
import type { Program } from './judge.js';
import { parseAddress } from './server-address.js';
import type { Tracker } from './tracker.js';
import { Typing } from './typing.js';
import { wentOnIn } from './went-on.js';

type Facts = Readonly<Record<string, string>>;

// What the door of one process needs to be found again, or to be asked after its end.
interface DoorFacts {
  epoch: number;
  facts: Facts;
}

export class Session {
  tracker: Tracker | undefined;
  composer: ComposerMemory;
  // What persons type into it from outside of tmux.
  readonly typing: Typing;

  constructor(
    public row: SessionRow,
    readonly profiles: Profiles,
    // Has it on disk when a person typed from outside of tmux.
    keep: (session: Session, keyedAt: number) => Promise<void> = async () => {},
  ) {
    this.composer = row.composer ? (JSON.parse(row.composer) as ComposerMemory) : NEW_COMPOSER;
    this.typing = new Typing(this, (keyedAt) => keep(this, keyedAt));
  }

  get id(): string {
    return this.row.id;
  }

  get name(): string {
    return this.row.name;
  }

  // The machine that it is on; null: this one.
  get host(): string | null {
    return parseAddress(this.row.socket).host;
  }

  get program(): Program | null {
    return this.row.program ? (JSON.parse(this.row.program) as Program) : null;
  }

  get profile(): Profile {
    return this.profiles.find(this.row.agent) ?? GENERIC;
  }

  // What is known of the process that runs now; of an earlier one nothing counts.
  get status(): Status | undefined {
    const known = this.row.status && (JSON.parse(this.row.status) as Status & { epoch: number });
    return known && known.epoch === this.row.epoch ? known : undefined;
  }

  // When its agent last went on, as far as it told; 0 if it never did.
  get wentOnAt(): number {
    return wentOnIn(this.row.status);
  }

  get doorFacts(): Readonly<Record<string, string>> {
    return this.doorFactsOf(this.row.epoch) ?? {};
  }

  // Also of the process before: its records may still tell what it took.
  doorFactsOf(epoch: number | undefined): Facts | undefined {
    return this.#doors.find((door) => door.epoch === epoch)?.facts;
  }

  // The row's content with these facts of the process that runs now.
  withDoorFacts(facts: Facts): string {
    const { epoch } = this.row;
    const before = this.#doors.find((door) => door.epoch !== epoch);
    return JSON.stringify({ epoch, facts, ...(before && { before }) });
  }

  get #doors(): DoorFacts[] {
    if (!this.row.door) return [];
    const { before, ...last } = JSON.parse(this.row.door) as DoorFacts & { before?: DoorFacts };
    return before ? [last, before] : [last];
  }

  get groups(): string[] {
    return JSON.parse(this.row.groups) as string[];
  }

  get command(): string[] {
    return JSON.parse(this.row.command) as string[];
  }
}

export const blankRow = (id: string, now: number): SessionRow => ({
  id,
  name: '',
  agent: '',
  origin: 'started',
  socket: '',
  server: '',
  tmux_session: '',
  pane: '',
  command: '[]',
  cwd: '',
  program: null,
  epoch: 1,
  state: 'starting',
  state_reason: null,
  paused: 0,
  composer: null,
  past_draft: null,
  door: null,
  status: null,
  parent: null,
  groups: '[]',
  busy_since: null,
  busy_reason: null,
  signal_seq: 0,
  signal_state: null,
  signal_message: null,
  signal_door: null,
  signal_at: null,
  last_signal_at: null,
  keyed_at: null,
  created_at: now,
  removed_at: null,
});
