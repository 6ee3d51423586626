import { expect, test } from 'vitest';
import type { Draft, SwapStep } from './protocol.js';
import { type Settlement, settle } from './settle.js';

const OURS = '[Input from: user via sm send] #0123456789ab\nhello\n';
const ours = OURS.trimEnd();
const draft = (text: string, caret: number | null = text.length): Draft => ({ text, caret, exact: true });
const at = (text: string, caret = text.length): { text: string; caret: number } => ({ text, caret });

type Row = [
  what: string,
  step: SwapStep,
  box: { text: string; caret: number },
  saved: Draft | null,
  out: Settlement,
];

test.each<Row>([
  // While the box was being read nothing of ours was in it: what it holds is the person's.
  ['reading, nothing saved', 'reading', at('abc', 1), null, { submitted: 'no', ...at('abc', 1) }],
  ['reading, saved as it is', 'reading', at('abc', 3), draft('abc', 1), { submitted: 'no', ...at('abc', 1) }],
  ['reading, changed', 'reading', at('abcd', 2), draft('abc', 1), { submitted: 'no', ...at('abcd', 2) }],
  [
    'reading, our words in the draft',
    'reading',
    at(`> ${ours}`),
    null,
    { submitted: 'no', ...at(`> ${ours}`) },
  ],

  // Our text stands in the box: it was not submitted, whatever was pressed.
  ['ours alone', 'typed', at(ours), draft('abc', 2), { submitted: 'no', ...at('abc', 2) }],
  ['ours after Enter', 'entered', at(ours), draft('abc', 2), { submitted: 'no', ...at('abc', 2) }],
  [
    'ours, Enter made a newline',
    'entered',
    at(`${ours}\n`),
    draft('abc', 2),
    { submitted: 'no', ...at('abc', 2) },
  ],
  [
    'ours, its blanks made other ones by the agent',
    'entered',
    at('[Input from: user via sm send] #0123456789ab \n  hello'),
    draft('abc', 2),
    { submitted: 'no', ...at('abc', 2) },
  ],
  ['ours, the box was empty', 'typed', at(ours), null, { submitted: 'no', ...at('') }],
  [
    'keys around ours go to the caret',
    'typed',
    at(`x${ours}y`),
    draft('abc', 1),
    { submitted: 'no', ...at('axybc', 3) },
  ],
  [
    'keys around ours, no caret known',
    'undoing',
    at(`${ours}y`),
    draft('abc', null),
    { submitted: 'no', ...at('abcy') },
  ],

  // Our text has left the box.
  ['empty after Enter', 'entered', at(''), draft('abc', 1), { submitted: 'yes', ...at('abc', 1) }],
  ['empty while restoring', 'restoring', at(''), draft('a\nb', 0), { submitted: 'yes', ...at('a\nb', 0) }],
  ['empty while undoing', 'undoing', at(''), draft('abc', 1), { submitted: 'no', ...at('abc', 1) }],
  ['empty without an Enter', 'typed', at(''), draft('abc', 1), { submitted: 'unknown', ...at('abc', 1) }],
  ['empty, nothing was taken out', 'typed', at(''), null, { submitted: 'unknown', ...at('') }],
  ['empty, nothing was taken out, entered', 'entered', at(''), null, { submitted: 'yes', ...at('') }],
  ['blanks are nothing', 'entered', at(' \n'), draft('abc', 1), { submitted: 'yes', ...at('abc', 1) }],

  // The draft is there.
  ['back, the caret not', 'restoring', at('abc', 3), draft('abc', 1), { submitted: 'yes', ...at('abc', 1) }],
  ['never taken out', 'typed', at('abc', 3), draft('abc', 1), { submitted: 'no', ...at('abc', 1) }],
  [
    'back, keys were let through',
    'restoring',
    at('abcd', 4),
    draft('abc', 1),
    { submitted: 'yes', ...at('abcd', 4) },
  ],
  [
    'back and cut, keys were let through',
    'restoring',
    at('abcd', 4),
    draft('abc  ', 1),
    { submitted: 'yes', ...at('abcd', 4) },
  ],
  ['keys where the box was empty', 'entered', at('new', 1), null, { submitted: 'yes', ...at('new', 1) }],
  ['a blank draft, cut away', 'restoring', at(' '), draft('  \n', 1), { submitted: 'yes', ...at('  \n', 1) }],

  // Something else alone: keys that were let through before the draft was back.
  ['keys before it', 'entered', at('xy'), draft('abc', 1), { submitted: 'yes', ...at('axybc', 3) }],
  ['keys before it, unsubmitted', 'undoing', at('x'), draft('abc', 3), { submitted: 'no', ...at('abcx') }],
  ['keys before it, unknown', 'typed', at('x'), draft('abc', 3), { submitted: 'unknown', ...at('abcx') }],
])('%s', (_what, step, box, saved, out) => {
  expect(settle(box, saved, OURS, step)).toEqual(out);
});

test('a draft cut at its end is completed, once', () => {
  const saved = draft('abc \n', 2);
  const cut = settle(at('abc'), saved, OURS, 'restoring');
  expect(cut).toEqual({ submitted: 'yes', text: 'abc \n', caret: 2 });
  expect(settle(cut, saved, OURS, 'restoring')).toEqual(cut);
});

test('a text without a header of ours is ours only where nothing else is there', () => {
  const saved = { text: 'after that run /compact please', caret: 30, exact: true };
  const box = { text: saved.text, caret: 30 };
  expect(settle(box, saved, '/compact', 'restoring')).toEqual({ submitted: 'yes', ...box });
  expect(settle({ text: '/compact', caret: 8 }, saved, '/compact', 'typed')).toMatchObject({
    submitted: 'no',
  });
});

test.each<SwapStep>(['typed', 'undoing', 'restoring', 'restored'])(
  'a draft that may have been in the box when its keys were freed at %s is not put in beside what they made of it',
  (step) => {
    for (const text of ['abXc', 'ab', 'new'])
      expect(settle(at(text), draft('abc'), OURS, step, 'freed')).toMatchObject({ ...at(text), offer: true });
  },
);

test('a short draft is not taken to be in a text that merely has its letters', () => {
  const saved = draft('l');
  expect(settle(at('vs éljé'), saved, OURS, 'entered', 'freed')).toMatchObject(at('lvs éljé'));
  expect(settle(at('vs éljé'), saved, OURS, 'restoring', 'freed')).toMatchObject({ offer: true });
  const long = draft('half a thought');
  const more = at('half a thought, and more');
  expect(settle(more, long, OURS, 'restoring', 'freed')).toEqual({ submitted: 'yes', ...more });
});

test('keys that were freed after our Enter came into an empty box', () => {
  expect(settle(at('new'), draft('abc', 1), OURS, 'entered', 'freed')).toEqual({
    submitted: 'yes',
    ...at('anewbc', 4),
  });
});

test('a draft that was on its way back when its keys were freed is offered, not put in again', () => {
  const saved = { text: 'half a thought', caret: 14, exact: true };
  const sent = settle({ text: '', caret: 0 }, saved, ours, 'restoring', 'freed');
  expect(sent).toEqual({ submitted: 'yes', text: '', caret: 0, offer: true });
  expect(settle({ text: '', caret: 0 }, saved, ours, 'restoring', 'held').text).toBe('half a thought');
});

// Keys came through before the recovery, and moved the caret.
test.each<[SwapStep, number, number]>([
  ['restored', 1, 1],
  ['restored', 3, 3],
  ['reading', 1, 1],
  ['restoring', 1, 1],
  // As the agent leaves it when it takes a text back.
  ['restoring', 3, 2],
])('%s, the caret of the same draft seen at %i: %i', (step, seen, caret) => {
  const box = { text: 'abc', caret: seen, isSeen: true };
  expect(settle(box, draft('abc', 2), OURS, step, 'freed')).toMatchObject({ text: 'abc', caret });
  expect(settle(box, draft('abc', 2), OURS, step, 'held')).toMatchObject({ text: 'abc', caret: 2 });
  expect(settle({ ...box, isSeen: false }, draft('abc', 2), OURS, step, 'freed').caret).toBe(2);
});
