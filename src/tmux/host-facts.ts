// What is to be known of another machine before anything is done there: its tmux, its clock, its folders.
import type { FarShell } from './far-shell.js';
import { SshFailure } from './ssh-failure.js';

export interface HostFacts {
  // The program, with its whole path, and what `tmux -V` says.
  tmux: string;
  tmuxVersion: string;
  // As `uname -s` says it.
  system: string;
  home: string;
  // Where tmux keeps the sockets of named servers.
  socketFolder: string;
  // How many seconds its clock is ahead of ours; whole ones, as tmux counts them.
  skewS: number;
}

// A shell that nobody logged in to has a short PATH.
const LEARN = `
t=
for f in "$(command -v tmux)" /opt/homebrew/bin/tmux /usr/local/bin/tmux /opt/local/bin/tmux "$HOME/.local/bin/tmux" \
  "$HOME/bin/tmux" /home/linuxbrew/.linuxbrew/bin/tmux; do
  if [ -n "$f" ] && [ -x "$f" ]; then t=$f; break; fi
done
v=
[ -z "$t" ] || v=$("$t" -V)
printf '%s\\n' "$(date +%s)" "$(uname -s)" "$HOME" "\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)" "$t" "$v"
`;

const NEEDS = { major: 3, minor: 3 };
// A clock that is further off than the journey of the answer explains is another one.
const SAME_CLOCK_S = 2;

export async function learnHost(
  shell: FarShell,
  { name, clock }: { name: string; clock: () => number },
): Promise<HostFacts> {
  const asked = clock();
  const { stdout, stderr } = await shell.run(LEARN);
  const middle = (asked + clock()) / 2;
  const [seconds = '', system = '', home = '', socketFolder = '', tmux = '', tmuxVersion = ''] =
    stdout.split('\n');
  if (!/^\d+$/.test(seconds) || !home.startsWith('/'))
    throw new SshFailure('no_shell', `what ${name} runs for ssh is no POSIX shell`);
  if (tmux === '')
    throw new SshFailure('no_tmux', `there is no tmux on ${name}: install tmux 3.3 or newer there`);
  if (!isNewEnough(tmuxVersion))
    throw new SshFailure(
      'old_tmux',
      `${tmux} on ${name} is ${tmuxVersion || `no tmux that tells its version (${stderr.trim()})`}: tmux 3.3 or newer is needed there`,
    );
  const skewS = Math.round(Number(seconds) + 0.5 - middle / 1000);
  return {
    tmux,
    tmuxVersion,
    system,
    home,
    socketFolder,
    skewS: Math.abs(skewS) < SAME_CLOCK_S ? 0 : skewS,
  };
}

// What has no number that we know is tried rather than refused.
function isNewEnough(version: string): boolean {
  if (/^tmux (?:master|openbsd-)/.test(version)) return true;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > NEEDS.major || (Number(major) === NEEDS.major && Number(minor) >= NEEDS.minor);
}
