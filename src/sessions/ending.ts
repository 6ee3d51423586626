// Making sure that a program has ended after its pane was closed: some agents outlive the hang-up while busy.
import type { Program } from './judge.js';
import type { Processes } from './processes.js';

// Time to end by itself after the hang-up, then after a polite signal.
const HANGUP_GRACE_MS = 2000;
const TERM_GRACE_MS = 3000;

export interface Ending {
  // Ends it now, without further patience.
  hurry(): Promise<void>;
}

export function endProcessGroup(program: Program, processes: Processes): Ending {
  const signal = async (name: 'TERM' | 'KILL'): Promise<boolean> => {
    const info = await processes.read(program.pid).catch(() => undefined);
    // Only the very process that we knew: a pid may have been used again.
    if (!info || info.started !== program.started) return false;
    try {
      await processes.signal(info.group, name);
      return true;
    } catch {
      return false;
    }
  };
  let timer = setTimeout(async () => {
    if (await signal('TERM')) timer = setTimeout(() => void signal('KILL'), TERM_GRACE_MS).unref();
  }, HANGUP_GRACE_MS).unref();
  return {
    hurry: async () => {
      clearTimeout(timer);
      await signal('KILL');
    },
  };
}
