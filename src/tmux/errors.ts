// What tmux refused, in its own words, with the command that it refused.

export class TmuxError extends Error {
  override readonly name: string = 'TmuxError';

  constructor(
    readonly command: string,
    readonly detail: string,
  ) {
    super(`tmux: ${detail} (in: ${command.length > 80 ? `${command.slice(0, 77)}…` : command})`);
  }

  // The target is not there (any more): a pane, window, session, or the whole server.
  get isGone(): boolean {
    return /can't find|no such|no server|not connected|no sessions|error connecting|server exited|lost server/.test(
      this.detail,
    );
  }
}

// The connection ended while the answer was awaited: whether tmux has run the command is not known.
export class CutOff extends TmuxError {
  override readonly name = 'CutOff';
}

// Its machine cannot be reached: nothing is known of what is there.
export class HostDown extends TmuxError {
  override readonly name = 'HostDown';

  constructor(
    readonly host: string,
    readonly reason: string,
    command: string,
  ) {
    super(command, `host ${host} is down: ${reason}`);
  }

  // Whatever the reason reads like.
  override get isGone(): boolean {
    return false;
  }
}
