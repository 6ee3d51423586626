// The ways in of a session as the doctor shows them: what each protocol can do with its agent.
import type { Way } from '../api/types.js';
import { abilitiesOf } from '../composer/index.js';
import type { Trial, Ways } from '../mail/index.js';

export interface SessionWays {
  version: string | null;
  ways: Way[];
  // Its agent could hand over a draft if it had been started with our editor.
  unprepared: boolean;
  trial: Trial;
}

const direct = (submitKey: string): Way => ({
  protocol: 'direct',
  reads: 'nothing',
  proves_restore: 'nothing',
  restores_caret: false,
  proves_focus: false,
  keys: [submitKey],
  note: 'into an input box that is known to be empty',
});

export function presentWays({ profile, version, protocols, trial }: Ways): SessionWays {
  const past = protocols.flatMap((name): Way[] => {
    const abilities = abilitiesOf(name, profile);
    if (!abilities) return [];
    const { reads, provesRestore, restoresCaret, provesFocus, keys } = abilities;
    return [
      {
        protocol: name,
        reads,
        proves_restore: provesRestore,
        restores_caret: restoresCaret,
        proves_focus: provesFocus,
        keys: [...keys],
        note: null,
      },
    ];
  });
  const unprepared = profile.editor !== undefined && !protocols.includes('editor');
  return { version, ways: [direct(profile.submitKey), ...past], unprepared, trial };
}
