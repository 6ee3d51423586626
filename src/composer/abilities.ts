// What each protocol can do with an agent: a pure function of the agent's profile.
import type { BoxProfile, EditorProfile, LineKeys, ProtocolName, StashProfile } from './box-profile.js';
import type { Abilities } from './protocol.js';

// Undefined where the profile lacks what the protocol needs, and for `direct`, which takes nothing out of a box.
export function abilitiesOf(name: ProtocolName, profile: BoxProfile): Abilities | undefined {
  const { editor, stash, lineKeys, submitKey } = profile;
  switch (name) {
    case 'direct':
      return undefined;
    case 'editor':
      return editor && editorAbilities(editor, submitKey);
    case 'stash':
      return stash && stashAbilities(stash, submitKey);
    case 'sentinel':
      return lineKeys && sentinelAbilities(lineKeys, submitKey);
    case 'interrupt':
      return interruptAbilities(lineKeys);
  }
}

export const editorAbilities = ({ keys, harmsDialogs }: EditorProfile, submitKey: string): Abilities => ({
  reads: 'exact',
  provesRestore: 'read',
  restoresCaret: true,
  provesFocus: !harmsDialogs,
  keys: [...keys, submitKey, 'Left', 'BSpace'],
});

export const stashAbilities = ({ key }: StashProfile, submitKey: string): Abilities => ({
  reads: 'screen',
  provesRestore: 'look',
  restoresCaret: true,
  provesFocus: true,
  keys: [key, submitKey, 'BSpace'],
});

export const sentinelAbilities = (lineKeys: LineKeys, submitKey: string): Abilities => ({
  reads: 'exact',
  provesRestore: 'read',
  restoresCaret: true,
  provesFocus: true,
  keys: [
    lineKeys.start.key,
    lineKeys.end.key,
    lineKeys.killToEnd.key,
    lineKeys.backspace,
    'Left',
    'Right',
    submitKey,
  ],
});

export const interruptAbilities = (lineKeys: LineKeys | undefined): Abilities => ({
  reads: 'screen',
  provesRestore: 'look',
  restoresCaret: false,
  provesFocus: false,
  keys: [
    'Space',
    'C-c',
    ...(lineKeys ? [lineKeys.end.key, lineKeys.start.key, lineKeys.killToEnd.key, lineKeys.backspace] : []),
  ],
});
