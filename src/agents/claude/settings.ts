// The hooks that we give to Claude Code: what it says goes into our spool, and a waiter wakes it when there is mail.
import path from 'node:path';
import { hookCommand } from '../hook-command.js';
import type { HookSettings } from '../hook-file.js';

interface Hook extends Record<string, unknown> {
  type: 'command';
  command: string;
}

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
// Told by versions that know it: others would refuse the settings that name it.
const NEWER = ['StopFailure'] as const;
// Whichever comes first starts the waiter again after it has woken the agent.
const WAITS = ['SessionStart', 'UserPromptSubmit', 'Stop'] as const;

const WAIT_SECONDS = 86_400;
const TELL_SECONDS = 10;

// `never`: an older version would wait for the waiter and never start. `checked`: for settings that any version may read;
// the waiter waits only where the daemon has said that this very process can be woken.
export type Wakes = 'never' | 'checked' | 'always';

export function claudeHooks(
  { home, hooks }: HookPlaces,
  wakes: Wakes,
  events: 'all' | 'since ever' = 'since ever',
): HookSettings {
  const run = (script: string, ...words: string[]): string =>
    hookCommand(path.join(hooks, script), home, ...words);
  return Object.fromEntries(
    [...TOLD, ...(events === 'all' ? NEWER : [])].map((event) => {
      const told: Hook = { type: 'command', command: run('hook.sh', 'claude', event), timeout: TELL_SECONDS };
      const waiter: Hook = {
        type: 'command',
        command: run('claude-waiter.sh', wakes),
        asyncRewake: true,
        timeout: WAIT_SECONDS,
      };
      const waits = wakes !== 'never' && (WAITS as readonly string[]).includes(event);
      return [event, [{ hooks: waits ? [told, waiter] : [told] }]];
    }),
  );
}
