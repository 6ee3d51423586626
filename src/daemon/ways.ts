// The ways in of a session as the doctor shows them: each protocol in what it says about itself.
import type { Way } from '../api/types.js';
import type { SwapTools } from '../composer/index.js';
import { makeProtocol, type ProtocolAids, type Ways } from '../mail/index.js';

export interface SessionWays {
  version: string | null;
  ways: Way[];
  // Its agent could hand over a draft if it had been started with our editor.
  unprepared: boolean;
}

const NO_AIDS: ProtocolAids = {
  swapFolder: '',
  interrupt: { quietSince: () => 0, journal: { lastInterruptAt: () => null, willInterrupt: async () => {} } },
};

const direct = (submitKey: string): Way => ({
  protocol: 'direct',
  reads: 'nothing',
  proves_restore: 'nothing',
  restores_caret: false,
  proves_focus: false,
  keys: [submitKey],
  note: 'into an input box that is known to be empty',
});

export function presentWays({ profile, version, protocols }: Ways): SessionWays {
  const past = protocols.map((name): Way => {
    // Made to be asked, never to be used: a protocol looks at nothing but the profile until then.
    const { abilities } = makeProtocol(name, { profile, token: '' } as unknown as SwapTools, NO_AIDS);
    return {
      protocol: name,
      reads: abilities.reads,
      proves_restore: abilities.provesRestore,
      restores_caret: abilities.restoresCaret,
      proves_focus: abilities.provesFocus,
      keys: [...abilities.keys],
      note: null,
    };
  });
  const unprepared = profile.editor !== undefined && !protocols.includes('editor');
  return { version, ways: [direct(profile.submitKey), ...past], unprepared };
}
