// What tmux refused, in its own words, with the command that it refused.

export class TmuxError extends Error {
  override readonly name = 'TmuxError';

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
