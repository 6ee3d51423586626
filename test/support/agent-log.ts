// What a fake agent says about itself in its log: the ground truth that tests compare with.
import fs from 'node:fs';
import { lettersIn } from '../conformance/letters-in.mjs';
import { until } from './tmux.js';

// One line of the log.
export interface AgentEvent {
  t: number;
  ev:
    | 'ready'
    | 'submit'
    | 'dialog'
    | 'approve'
    | 'deny'
    | 'exit'
    // The editor is called on `file`, which holds `text`; it has ended and left `text` there.
    | 'editor'
    | 'edited'
    // What the box holds, told on SIGUSR2.
    | 'draft'
    // With --log-keys: `name` of a key, or `text`; a paste has both.
    | 'key';
  text?: string;
  code?: number;
  // Of 'ready', for the programs with a box.
  pid?: number;
  caret?: number;
  stash?: string | null;
  name?: string;
  file?: string;
  changed?: boolean;
}

export interface AgentDraft {
  // With collapsed pastes in full.
  text: string;
  // UTF-16 offset into the text.
  caret: number;
  // What is put aside with the stash key.
  stash: string | null;
}

export interface AgentLog {
  log: string;
  events(): AgentEvent[];
  // The exact texts that it took, in order; several messages that came in one text are several.
  submissions(): string[];
  // What it took at once.
  deliveries(): string[];
  // The process of a program with a box, once it is ready.
  pid(): number;
  // Asks a program with a box what it holds; the screen does not change.
  draft(): Promise<AgentDraft>;
}

export function agentLog(log: string): AgentLog {
  const events = (): AgentEvent[] =>
    (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '')
      .split('\n')
      // What follows the last newline is a line that is still being written.
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AgentEvent);
  const drafts = (): AgentEvent[] => events().filter(({ ev }) => ev === 'draft');
  const deliveries = (): string[] =>
    events().flatMap(({ ev, text }) => (ev === 'submit' ? [text ?? ''] : []));
  const pid = (): number => {
    const ready = events().findLast(({ ev }) => ev === 'ready');
    // A program without a box would die of the signals.
    if (!ready?.pid) throw new Error(`${log}: no program with a box is ready`);
    return ready.pid;
  };
  return {
    log,
    events,
    submissions: () => deliveries().flatMap(lettersIn),
    deliveries,
    pid,
    draft: async () => {
      const before = drafts().length;
      process.kill(pid(), 'SIGUSR2');
      const { text = '', caret = 0, stash = null } = await until(() => drafts()[before], `a draft in ${log}`);
      return { text, caret, stash };
    },
  };
}
