// The hooks that Gemini is given on request: what they are told goes into our spool, and at a turn's end one brings a message.
import path from 'node:path';
import { hookCommand } from '../hook-command.js';
import type { HookSettings } from '../hook-file.js';

const TOLD = [
  'SessionStart',
  'BeforeAgent',
  'AfterAgent',
  'AfterTool',
  'Notification',
  'SessionEnd',
] as const;
const TELL_MS = 10_000;

export function geminiHooks({ home, hooks }: { home: string; hooks: string }): HookSettings {
  const run = (event: string): string => hookCommand(path.join(hooks, 'hook.sh'), home, 'gemini', event);
  return Object.fromEntries(
    TOLD.map((event) => [
      event,
      [{ hooks: [{ type: 'command', name: `suremail-${event}`, command: run(event), timeout: TELL_MS }] }],
    ]),
  );
}
