// The letter of an editor key of two keys, where the first went by unheard, is never taken for a person's text.
import { expect, test } from 'vitest';
import type { EditorBox } from './editor-box.js';
import { withoutLetter } from './editor-residue.js';
import type { Draft } from './protocol.js';

const box = (...keys: string[]) => ({ profile: { keys } }) as unknown as EditorBox;
const read = (text: string) => ({ text, caret: text.length });
const draft: Draft = { text: 'a thought', caret: 4, exact: true };

test.each([
  ['all that the box holds', 'e', ''],
  ['behind the draft that was on its way back', 'a thoughte', 'a thought'],
])('the letter is %s', (_where, held, rest) => {
  for (const step of ['entered', 'restoring'] as const)
    expect(withoutLetter(box('C-x', 'e'), read(held), draft, step)).toEqual(read(rest));
});

test.each([
  ['a key of one stroke leaves no letter', ['C-g'], 'C-g', 'restoring'],
  ['before Enter the box is read by other rules', ['C-x', 'e'], 'e', 'typed'],
  ['a person may have typed it before the keys were held', ['C-x', 'e'], 'e', 'reading'],
  ['behind another text it may be theirs', ['C-x', 'e'], 'other texte', 'restoring'],
] as const)('%s', (_why, keys, held, step) => {
  expect(withoutLetter(box(...keys), read(held), draft, step)).toEqual(read(held));
});

test('no draft was saved: the letter alone is ours', () => {
  expect(withoutLetter(box('C-x', 'e'), read('e'), null, 'entered')).toEqual(read(''));
});
