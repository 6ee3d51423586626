// What a text of ours replaced, told from two captures: the draft, and what was typed around our text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNudge, isCleanDelivery, textToRestore } from './nudge-diff.js';

const RULE = '─'.repeat(57);
const NUDGE = '[from gastown/crew/holden] Reliability test 7';

interface Scene {
  transcript?: string;
  box?: string;
  footer?: string;
}

const TRANSCRIPT = `● Received "no restore" test. Standing by.

❯ [from gastown/crew/holden] Reliability test 1
  ⎿  Interrupted · What should Claude do instead?

❯ [from gastown/crew/holden] Reliability test 3

● Received reliability tests 1 and 3.
`;
const FOOTER = '  ⏵⏵ bypass permissions on (shift+tab to cycle)';

const screen = ({ transcript = TRANSCRIPT, box = '', footer = FOOTER }: Scene): string =>
  `${transcript}\n${RULE}\n❯ ${box}\n${RULE}\n${footer}\n`;

function find(before: string, after: string, nudge = NUDGE) {
  const found = findNudge(Buffer.from(before), Buffer.from(after), Buffer.from(nudge));
  if (!found) return undefined;
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
  return {
    original: text(found.original),
    gap: text(found.gap),
    afterNudge: text(found.afterNudge),
    restore: text(textToRestore(found)),
    isClean: isCleanDelivery(found),
  };
}

test('typing around a nudge, with an advertisement that comes up beside it', () => {
  const before = `● Received "no restore" test. Standing by.

❯ [from gastown/crew/holden] Reliability test 1
  ⎿  Interrupted · What should Claude do instead?

❯ [from gastown/crew/holden] Reliability test 3

● Received reliability tests 1 and 3.

─────────────────────────────────────────────────────────
❯ I'm starting to type some instructio
─────────────────────────────────────────────────────────
  ⏵⏵ bypass permissions on (shift+tab to cycle)
`;
  const after = `● Received "no restore" test. Standing by.

❯ [from gastown/crew/holden] Reliability test 1
  ⎿  Interrupted · What should Claude do instead?

❯ [from gastown/crew/holden] Reliability test 3

● Received reliability tests 1 and 3.

─────────────────────────────────────────────────────────
❯ ns for you t[from gastown/crew/holden] Reliability test 7
─────────────────────────────────────────────────────────
  ⏵⏵ bypass permissions on (shift+tab to cycle)   AD: DRINK OVALTINE!!
`;
  expect(find(before, after, '[from gastown/crew/holden] Reliability test 7')).toEqual({
    original: "I'm starting to type some instructio",
    gap: 'ns for you t',
    afterNudge: '',
    restore: "I'm starting to type some instructions for you t",
    isClean: false,
  });
});

describe('edge cases', () => {
  const draft = "I'm starting to type some instructio";
  const clean = { original: draft, gap: '', afterNudge: '', restore: draft, isClean: true };

  test('a clean delivery gives back the draft', () => {
    expect(find(screen({ box: draft }), screen({ box: NUDGE }))).toEqual(clean);
  });

  test('user typing during inject: before the nudge, behind it, or both', () => {
    expect(find(screen({ box: draft }), screen({ box: `ns ${NUDGE}` }))).toMatchObject({
      gap: 'ns ',
      isClean: false,
    });
    expect(find(screen({ box: draft }), screen({ box: `${NUDGE} for you` }))).toMatchObject({
      afterNudge: ' for you',
      isClean: false,
    });
    expect(find(screen({ box: draft }), screen({ box: `ns${NUDGE} for` }))).toMatchObject({
      restore: `${draft}ns for`,
      isClean: false,
    });
  });

  test('an "Interrupted" message is another change, and ignored', () => {
    const transcript = `${TRANSCRIPT}\n  ⎿  Interrupted · What should Claude do instead?\n`;
    expect(find(screen({ box: draft }), screen({ transcript, box: NUDGE }))).toEqual(clean);
  });

  test('agent output between the captures is ignored', () => {
    const transcript = `${TRANSCRIPT}\n● I read the file and changed it:\n${'  + a line of code\n'.repeat(20)}`;
    expect(find(screen({ box: draft }), screen({ transcript, box: NUDGE }))).toEqual(clean);
  });

  test('a nudge that does not appear is not found', () => {
    expect(find(screen({ box: draft }), screen({ box: '' }))).toBeUndefined();
    expect(find(screen({ box: draft }), screen({ box: draft }))).toBeUndefined();
  });

  test('changes of the interface below the nudge are ignored', () => {
    const footer = '  ⏵⏵ plan mode on (shift+tab to cycle)   AD: DRINK OVALTINE!!';
    expect(find(screen({ box: draft }), screen({ box: NUDGE, footer }))).toEqual(clean);
  });
});

describe('which text counts', () => {
  test('the same words in the scrollback do not', () => {
    const transcript = `${TRANSCRIPT}\n❯ ${NUDGE}\n`;
    expect(find(screen({ transcript, box: 'draft' }), screen({ transcript, box: '' }))).toBeUndefined();
    expect(find(screen({ transcript, box: 'draft' }), screen({ transcript, box: NUDGE }))).toMatchObject({
      original: 'draft',
      isClean: true,
    });
  });

  test('nor do they below the box', () => {
    const footer = `last: ${NUDGE}`;
    expect(find(screen({ box: 'draft', footer }), screen({ box: NUDGE, footer }))).toMatchObject({
      original: 'draft',
      isClean: true,
    });
  });

  test.each([
    ['begins like the nudge', '[from gastown/crew/holden] wait'],
    ['ends like the nudge', 'run the Reliability test 7'],
    ['has words of the nudge', 'is gastown/crew/holden doing the Reliability run?'],
    ['is a part of the nudge', 'Reliability'],
  ])('a draft that %s is found whole', (_, box) => {
    expect(find(screen({ box }), screen({ box: NUDGE }))).toMatchObject({ original: box, isClean: true });
  });

  test('words that the draft shares with what was typed since', () => {
    const found = find(screen({ box: 'all of the tests' }), screen({ box: `run the tests${NUDGE} of the` }));
    expect(found).toMatchObject({
      original: 'all of the tests',
      gap: 'run the tests',
      afterNudge: ' of the',
    });
  });

  test('a clock in the same row, behind blanks, is no typing', () => {
    const box = (text: string, time: string) => screen({ box: `${text.padEnd(70)}${time}` });
    expect(find(box('draft', '12:59'), box(NUDGE, '13:00'))).toMatchObject({ afterNudge: '' });
  });

  test('a draft of several lines', () => {
    const box = 'first line\n\n  third line, the Reliability test\n  fourth';
    expect(find(screen({ box }), screen({ box: NUDGE }))).toMatchObject({ original: box, isClean: true });
  });

  test('an empty nudge is nowhere', () => {
    expect(find(screen({ box: 'a' }), screen({ box: 'b' }), '')).toBeUndefined();
  });
});

test('random texts around a nudge in random screens are found again', () => {
  const word = fc
    .string({ unit: fc.constantFrom(...'abcdefgh .,é中🙂'), maxLength: 60 })
    .map((text) => text.replace(/ +/g, ' '));
  const line = fc.oneof(word, fc.constant(`❯ ${NUDGE}`));
  const transcripts = fc.array(line, { maxLength: 30 }).map((rows) => rows.join('\n'));
  // What is typed shares no edge with what stood or stands there: the screen alone cannot tell such letters apart.
  const draft = word.map((text) => `Q${text}Q`);
  const typed = word.map((text) => (text === '' ? '' : `Z${text}Z`));
  fc.assert(
    fc.property(transcripts, transcripts, draft, typed, typed, (old, more, box, gap, afterNudge) => {
      const before = screen({ transcript: old, box });
      const after = screen({ transcript: `${old}\n${more}`, box: `${gap}${NUDGE}${afterNudge}` });
      expect(find(before, after)).toEqual({
        original: box,
        gap,
        afterNudge,
        restore: box + gap + afterNudge,
        isClean: gap === '' && afterNudge === '',
      });
    }),
    { numRuns: 400 },
  );
});
