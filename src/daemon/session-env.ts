// The variables that tell a program in a session who it is, and that put our editor before the person's own.
import path from 'node:path';
import { type Home, homeVariables } from '../api/locate.js';

export interface SessionEnvDeps {
  home: Home;
  env: NodeJS.ProcessEnv;
  swapFolder: (session: string) => string;
  signalsFile: (session: string) => string;
}

export function sessionEnv({ home, env, swapFolder, signalsFile }: SessionEnvDeps) {
  const shim = path.join(home.bin, 'sm-editor');
  return (id: string, extra: Readonly<Record<string, string>>): Record<string, string> => ({
    ...extra,
    PATH: `${home.bin}:${extra.PATH ?? env.PATH ?? ''}`,
    SM_SESSION: id,
    ...homeVariables(home),
    SM_SWAP: swapFolder(id),
    SM_SIGNALS: signalsFile(id),
    // The person's own editor stays behind ours.
    SM_EDITOR:
      [extra.VISUAL, extra.EDITOR, env.SM_EDITOR, env.VISUAL, env.EDITOR].find(
        (one) => one && one !== shim,
      ) ?? '',
    VISUAL: shim,
    EDITOR: shim,
    COPILOT_EDITOR: shim,
  });
}
