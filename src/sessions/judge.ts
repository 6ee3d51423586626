// Is the program in the pane still the session's? Pure: from the process that was remembered and the one in the foreground.
import { baseName, isInteractiveShell, type Profiles } from '../agents/index.js';
import type { ProcessInfo } from './process.js';

// The process that a session is about.
export interface Program {
  pid: number;
  started: string;
  argv: string[];
}

export type Verdict =
  | { kind: 'same' }
  // Its process is gone, and another of the same kind has the pane: a new epoch.
  | { kind: 'replaced'; program: Program }
  | { kind: 'ended'; reason: string }
  // It lives, but another program has the foreground (a shell after Ctrl-Z, an editor).
  | { kind: 'covered'; by: string };

const ENDED_IN_SHELL = 'its program has ended and left a shell in its place';

export function judge(
  remembered: Program | null,
  foreground: ProcessInfo | undefined,
  rememberedAlive: boolean,
  profiles: Profiles,
): Verdict {
  if (!foreground)
    return rememberedAlive
      ? { kind: 'covered', by: 'nothing' }
      : { kind: 'ended', reason: 'its program has ended' };
  if (remembered && foreground.pid === remembered.pid && foreground.started === remembered.started) {
    // A wrapper that ends with `exec bash` keeps its pid, and is a shell all the same.
    const becameShell = isInteractiveShell(foreground.argv) && !isInteractiveShell(remembered.argv);
    return becameShell ? { kind: 'ended', reason: ENDED_IN_SHELL } : { kind: 'same' };
  }
  const name = baseName(foreground.argv[0] ?? '');
  if (rememberedAlive) return { kind: 'covered', by: name };
  if (!remembered || isSameKind(remembered.argv, foreground.argv, profiles)) {
    return {
      kind: 'replaced',
      program: { pid: foreground.pid, started: foreground.started, argv: foreground.argv },
    };
  }
  return { kind: 'ended', reason: `its program has ended; ${name} has the pane now` };
}

// An agent of the same profile, or a program of the same name. A shell replaces nothing but a shell.
function isSameKind(before: readonly string[], now: readonly string[], profiles: Profiles): boolean {
  if (isInteractiveShell(now) || isInteractiveShell(before))
    return isInteractiveShell(now) && isInteractiveShell(before);
  const profile = profiles.recognise(before);
  if (profile) return profiles.recognise(now) === profile;
  return (
    baseName(before[0] ?? '') === baseName(now[0] ?? '') &&
    baseName(before[1] ?? '') === baseName(now[1] ?? '')
  );
}
