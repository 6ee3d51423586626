// A pane's screen with as much of its scrollback as is asked for, all of the same moment.
import { type Pane, quote, TmuxError } from '../tmux/index.js';
import type { Screen } from './screen.js';

const FORMAT = ['alternate_on', 'cursor_x', 'cursor_y', 'pane_width', 'pane_height'].map(
  (name) => `#{${name}}`,
);

// Who pressed a key so recently may be typing.
const TYPING_MS = 3000;

export async function readScreen(
  pane: Pane,
  // `seen` is called when the screen is as it is given: output that is told later is not on it.
  { history, prompt, now, seen }: { history: number; prompt: string; now: number; seen: () => void },
): Promise<Screen> {
  const commands = [
    `display-message -p -t ${pane.id} ${quote(FORMAT.join(' '))}`,
    `capture-pane -p -S -${history} -t ${pane.id}`,
    `list-clients -t ${pane.link.sessionId} -F "#{client_control_mode} #{client_activity}"`,
  ];
  const blocks = await pane.link.list(commands, seen);
  const [head, capture, clients] = blocks;
  const failed = blocks.find((block) => !block.ok);
  if (failed || !head || !capture) throw new TmuxError('look', failed?.lines.join(' ') ?? 'no answer');
  const numbers = (head.lines[0]?.toString('latin1') ?? '').split(' ').map(Number);
  const [alternate = 0, x = 0, y = 0, columns = 0, height = 0] = numbers;
  const all = capture.lines.map((line) => line.toString('utf8'));
  // What stands above is of the main screen, from before.
  const rows = alternate ? all.slice(-height) : all;
  return {
    rows,
    columns,
    top: Math.max(0, rows.length - height),
    cursor: { x, y: rows.length - height + y },
    prompt,
    isAlternate: alternate === 1,
    isLineOpen: (clients?.lines ?? []).some((line) => {
      const [isControl, activity] = line.toString('latin1').split(' ');
      return isControl !== '1' && Number(activity) * 1000 > now - TYPING_MS;
    }),
  };
}
