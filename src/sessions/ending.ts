// Making sure that a program has ended after its pane was closed: some agents outlive the hang-up while busy.
import type { Program } from './judge.js';
import { readProcess } from './process.js';

// Time to end by itself after the hang-up, then after a polite signal.
const HANGUP_GRACE_MS = 2000;
const TERM_GRACE_MS = 3000;

export interface Ending {
  // Ends it now, without further patience.
  hurry(): Promise<void>;
}

export function endProcessGroup(program: Program): Ending {
  const signal = async (name: NodeJS.Signals): Promise<boolean> => {
    const info = await readProcess(program.pid);
    // Only the very process that we knew: a pid may have been used again.
    if (!info || info.started !== program.started) return false;
    try {
      process.kill(-info.group, name);
      return true;
    } catch {
      return false;
    }
  };
  let timer = setTimeout(async () => {
    if (await signal('SIGTERM')) timer = setTimeout(() => void signal('SIGKILL'), TERM_GRACE_MS).unref();
  }, HANGUP_GRACE_MS).unref();
  return {
    hurry: async () => {
      clearTimeout(timer);
      await signal('SIGKILL');
    },
  };
}
