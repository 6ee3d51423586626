// What is done because of signals, looked at for the doctor: what did not work in the last day, and what is still tried.
import { hookName, type SignalAction } from '../mail/index.js';
import { type Action, MOST_AGE_MS } from '../signals/index.js';
import type { SignalUseRow, SignalUses } from '../store/index.js';
import { type Checked, note, problem } from './finding.js';

export interface SignalActionsCheck {
  table: SignalUses;
  actions: readonly Action[];
  now: number;
}

// Looked at for one report.
const MOST = 1000;

export function checkSignalActions({ table, actions, now }: SignalActionsCheck): Checked {
  const failed = table.failedSince(now - MOST_AGE_MS, MOST);
  const tried = table.heads().filter(({ tries }) => tries > 0);
  const findings = actions.flatMap((action) => {
    const bad = failed.filter((use) => use.action === action.print);
    const trying = tried.find((use) => use.action === action.print);
    const [newest] = bad;
    return [
      ...(newest ? [ofFailed(action, bad, table.lastSettled(action.print) ?? newest)] : []),
      ...(trying
        ? [
            note(
              'signals',
              `${inWords(action)}: not taken yet, tried ${trying.tries} times (${trying.reason}); ${table.waitingFor(action.print)} wait`,
              'it is tried again until the signal is a day old',
            ),
          ]
        : []),
    ];
  });
  const count = actions.length === 1 ? '1 action' : `${actions.length} actions`;
  return { about: 'signals', detail: count, findings };
}

// Where the newest has worked again, it is worth knowing and nothing more.
function ofFailed(
  action: Action,
  bad: readonly SignalUseRow[],
  last: SignalUseRow,
): Checked['findings'][number] {
  const say = last.state === 'done' ? note : problem;
  const how = bad[0]?.state === 'uncertain' ? 'it is not known whether it was done' : 'it failed';
  const many = bad.length === 1 ? 'a signal' : `${bad.length} signals`;
  const what = `${inWords(action)}: ${how} for ${many} of the last day`;
  return say(
    'signals',
    `${what}; the last time: ${bad[0]?.reason}`,
    '"sm logs" has each; signal_actions in the configuration says what is done',
  );
}

// Without what may be a secret.
function inWords({ effect }: SignalAction): string {
  switch (effect.kind) {
    case 'desktop':
      return 'the note on the desktop';
    case 'webhook':
      return `the webhook ${hookName(effect.hook)}`;
    case 'command':
      return `the command ${effect.argv[0]}`;
    case 'mail':
      return `the mail to ${effect.to}`;
  }
}
