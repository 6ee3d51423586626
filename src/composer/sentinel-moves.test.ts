import { expect, test } from 'vitest';
import { fewestPresses, mostPresses, movesThatTake, pressesOver } from './sentinel-moves.js';

const TONED = '👍🏽';
const ACCENTED = 'z\u0301\u0302';

test('a skin tone and marks on a letter tell three ways of moving apart', () => {
  const text = `${ACCENTED}\n${TONED}`;
  expect([fewestPresses(text), mostPresses(text)]).toEqual([3, 6]);
  expect(movesThatTake(text, 3)).toEqual(['characters']);
  expect(movesThatTake(text, 4)).toEqual(['cells']);
  expect(movesThatTake(text, 6)).toEqual(['code points']);
  expect(movesThatTake(text, 5)).toEqual([]);
});

test.each([
  [TONED, 2, ACCENTED, undefined],
  [TONED, 2, TONED, 2],
  [ACCENTED, 1, TONED, undefined],
  [ACCENTED, 1, `${ACCENTED} plain`, 7],
  [TONED, 9, 'plain', undefined],
])('%j in %i presses: %j takes %s', (seen, presses, text, expected) => {
  expect(pressesOver(text, movesThatTake(seen, presses))).toBe(expected);
});
