// The hooks that we give to Claude Code: what it says goes into our spool, and a waiter wakes it when there is mail.
import path from 'node:path';

interface Hook {
  type: 'command';
  command: string;
  timeout?: number;
  asyncRewake?: true;
}

export type HookSettings = Record<string, { hooks: Hook[] }[]>;

export interface HookPlaces {
  // $SM_HOME, and the folder of the scripts in it.
  home: string;
  hooks: string;
}

// Each of them tells something that nothing else tells as well.
const TOLD = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'Stop',
  'PermissionRequest',
  'Notification',
  'SessionEnd',
] as const;
// Whichever comes first starts the waiter again after it has woken the agent.
const WAITS = ['SessionStart', 'UserPromptSubmit', 'Stop'] as const;

const WAIT_SECONDS = 86_400;
const TELL_SECONDS = 10;

// `wakes`: this version knows how to be woken; an older one would wait for the waiter and never start.
export function claudeHooks({ home, hooks }: HookPlaces, wakes: boolean): HookSettings {
  const run = (script: string, ...words: string[]): string =>
    ['exec', 'sh', ...[path.join(hooks, script), home, ...words].map(shellWord)].join(' ');
  return Object.fromEntries(
    TOLD.map((event) => {
      const told: Hook = { type: 'command', command: run('hook.sh', 'claude', event), timeout: TELL_SECONDS };
      const waiter: Hook = {
        type: 'command',
        command: run('claude-waiter.sh'),
        asyncRewake: true,
        timeout: WAIT_SECONDS,
      };
      const waits = wakes && (WAITS as readonly string[]).includes(event);
      return [event, [{ hooks: waits ? [told, waiter] : [told] }]];
    }),
  );
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
