// Markers in mail, as an agent shows it.
import { expect, it } from 'vitest';
import { isInMail, isLineOfMail } from './in-mail.js';
import { contextOf } from './marker.js';

const marker = { state: 'completed', message: 'done', id: null };
const text = 'Say this when all is done:\n--<[sm:completed:done]>--';
const isMail = (command: 0 | 1, before: string): boolean =>
  isInMail([{ id: 'a1b2c3d4e5f6', text, command }], { marker, context: contextOf(before) });

it('is known by its header and the words before it', () => {
  const header = '[Input from: x (1) via sm send] #a1b2c3d4e5f6';
  expect(isMail(0, `${header}\nSay this when all is done:`)).toBe(true);
  expect(isMail(0, 'I have done it.')).toBe(false);
});

it('that was sent as a command has no header', () => {
  expect(isMail(1, 'some output before it\n$ Say this when all is done:')).toBe(true);
  expect(isMail(1, 'some output before it\nI have done it.')).toBe(false);
});

it('with nothing before the marker tells nobody whose it is', () => {
  const letter = { id: 'a1b2c3d4e5f6', text: '--<[sm:completed:done]>--', command: 1 } as const;
  expect(isInMail([letter], { marker, context: 'somewordsbeforeit' })).toBe(false);
});

it('is no near miss either, however its line is broken', () => {
  const letters = [
    { id: 'a1b2c3d4e5f6', text: 'Never print --<[sm:error:x]>-- in a text', command: 0 },
  ] as const;
  expect(isLineOfMail(letters, '│ Never print --<[sm:error:x]>--')).toBe(true);
  expect(isLineOfMail(letters, '--<[sm:error:y]>-- in a text')).toBe(false);
  expect(isLineOfMail(letters, '--<[')).toBe(false);
});
