// Whether the door is open: with the first hook that comes, or never where hooks are turned off.
import type { Disposable } from '../../tmux/index.js';
import type { DoorContext, DoorState } from '../door.js';

// A hook that has not come by then is turned off by policy, or was never given.
const FIRST_HOOK_MS = 20_000;

export class Opening implements Disposable {
  #state: DoorState;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    readonly context: Pick<DoorContext, 'clock' | 'session'>,
    readonly onChange: () => void,
  ) {
    this.#state = { kind: 'opening', since: context.clock() };
    this.#deadline = setTimeout(() => this.#noHook(), FIRST_HOOK_MS).unref();
  }

  get state(): DoorState {
    return this.#state;
  }

  // A hook came, or one waits.
  open(): void {
    this.dispose();
    if (this.#state.kind === 'open') return;
    this.#state = { kind: 'open' };
    this.onChange();
  }

  dispose(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  #noHook(): void {
    if (this.#state.kind !== 'opening') return;
    const reason =
      this.context.session.origin === 'adopted'
        ? 'it was not started by sm; "sm hooks install claude" gives it its hooks'
        : 'no hook has come: its settings or a policy turn hooks off';
    this.#state = { kind: 'shut', reason };
    this.onChange();
  }
}
