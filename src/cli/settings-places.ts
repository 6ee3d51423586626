// What tells where agents keep their settings, as this shell means it: the daemon has another environment and another folder.
import path from 'node:path';

const TELLING = [
  'HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
  'XDG_CONFIG_HOME',
  'COPILOT_HOME',
];

// One that is empty is none.
export const settingsPlaces = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(TELLING.flatMap((key) => (env[key] ? [[key, path.resolve(env[key])]] : [])));
