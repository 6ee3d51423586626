// Processes of another machine, asked of a POSIX shell there: by /proc where it is, else by ps. Nothing needs to be installed.
import { shellWord } from '../tmux/index.js';
import { type ProcessInfo, PS_FORMAT, parseProc, parsePs } from './process.js';
import type { Processes } from './processes.js';

export type Script = (text: string) => Promise<{ code: number; stdout: string }>;

// `sm_show PID`: the process as /proc tells it, its parts ended by two NUL bytes, or as a line of ps.
// `sm_front PID`: which group has the foreground of its terminal.
const SHOW = `
sm_show() {
  if [ -r "/proc/$1/stat" ]; then
    printf 'proc %s\\000\\000' "$1"; cat "/proc/$1/stat"; printf '\\000\\000'; cat "/proc/$1/cmdline"; printf '\\000\\000'
  else
    printf 'ps %s\\000\\000' "$1"; LC_ALL=C ps -o ${PS_FORMAT} -p "$1"; printf '\\000\\000\\000\\000'
  fi
} 2>/dev/null
sm_front() {
  if [ -r "/proc/$1/stat" ]; then
    sm_stat=$(cat "/proc/$1/stat"); set -- \${sm_stat##*) }; printf '%s' "$6"
  else
    LC_ALL=C ps -o tpgid= -p "$1" | tr -d ' '
  fi
} 2>/dev/null
`;

export const farProcesses = (script: Script): Processes => ({
  async read(pid) {
    return parseShown((await script(`${SHOW}sm_show ${whole(pid)}`)).stdout);
  },
  async foregroundOf(panePid) {
    const pid = whole(panePid);
    const { stdout } = await script(
      `${SHOW}f=$(sm_front ${pid}); case $f in ''|${pid}) sm_show ${pid};; *) sm_show "$f";; esac`,
    );
    return parseShown(stdout);
  },
  async isCanonical(tty) {
    const word = shellWord(tty);
    const { code, stdout } = await script(`stty -a <${word}`).catch(() => ({ code: 1, stdout: '' }));
    return code === 0 && /(?:^|[\s;])icanon\b/.test(stdout);
  },
  async signal(group, name) {
    await script(`kill -s ${name} -- -${whole(group)}`);
  },
});

// What goes into a script is a number.
function whole(pid: number): number {
  if (!Number.isInteger(pid) || pid <= 0) throw new RangeError(`a process id must be a number, not ${pid}`);
  return pid;
}

// Three parts: which way it was asked and for whom, the stat or the line, and the command line.
export function parseShown(text: string): ProcessInfo | undefined {
  const headEnd = text.indexOf('\0\0');
  const statEnd = text.indexOf('\0\0', headEnd + 2);
  if (headEnd < 0 || statEnd < 0) return undefined;
  const [way, pid] = text.slice(0, headEnd).split(' ');
  const stat = text.slice(headEnd + 2, statEnd);
  if (stat === '') return undefined;
  // The last two NUL bytes are ours; a word of a command line may be empty, so that two stand inside of it.
  return way === 'proc'
    ? parseProc(Number(pid), stat, text.slice(statEnd + 2, -2))
    : parsePs(Number(pid), stat);
}
