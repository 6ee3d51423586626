// The person's own editor, opened by the agent's key: it has the terminal, though the agent has its foreground still.
import { Handover } from '../composer/index.js';
import { readProcess } from '../sessions/index.js';
import type { Pane } from '../tmux/index.js';
import type { Hold } from './gate.js';

// Why nothing is pressed there; undefined where no such editor is open.
export async function ownEditorHold(folder: string, pane: Pane): Promise<Hold | undefined> {
  const pid = new Handover(folder).ownEditor;
  const editor = pid === undefined ? undefined : await readProcess(pid);
  if (!editor) return undefined;
  // A number is used again: by a process of another terminal.
  const program = await readProcess(Number(await pane.format('#{pane_pid}')));
  return editor.foreground === program?.foreground ? OWN_EDITOR : undefined;
}

const OWN_EDITOR: Hold = {
  reason: 'other_program',
  detail: "a person's own editor, opened by the agent's key, has the pane",
  retryAt: undefined,
};
