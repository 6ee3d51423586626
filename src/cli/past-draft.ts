// The option that says whether mail may go past a draft, for the commands that have it.
import type { PastDraft } from '../api/types.js';

const CHOICES = ['auto', 'now', 'stale', 'never'] as const satisfies readonly PastDraft[];

export const PAST_DRAFT_ABOUT: readonly string[] = [
  'A draft in the input box is saved, makes way for the message, and is put back. --past-draft says when:',
  [
    '  auto   as soon as they pause, where the agent hands its draft over exactly; otherwise as stale',
    '  now    at once, also while somebody types; their keys wait meanwhile',
    '  stale  once nobody has touched it for input_stale_timeout (see sm config)',
    '  never  not at all: mail waits until the draft is gone, and so does what was sent after it',
  ].join('\n'),
];

export const PAST_DRAFT_OPTION = {
  kind: 'choice',
  value: 'WHEN',
  choices: CHOICES,
  help: 'whether mail may go past a draft in the input box: auto, now, stale or never',
} as const;

// For a session that is to follow the configuration again.
export const PAST_DRAFT_RESET = {
  ...PAST_DRAFT_OPTION,
  choices: [...CHOICES, 'default'],
  help: `${PAST_DRAFT_OPTION.help}; default: as the configuration says`,
} as const;

export const pastDraftFrom = (value: PastDraft | undefined): { past_draft?: PastDraft } =>
  value === undefined ? {} : { past_draft: value };
