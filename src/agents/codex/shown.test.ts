import { expect, test } from 'vitest';
import { MISSED, NOT_STARTED, nextShown, type Shown, showing } from './shown.js';

const at = (ms: number): string => new Date(ms).toISOString();
const event = (ms: number, variant: string): string =>
  JSON.stringify({ ts: at(ms), dir: 'to_tui', kind: 'app_event', variant });
const plain = (ms: number, kind: string, payload?: unknown): string =>
  JSON.stringify({ ts: at(ms), dir: 'meta', kind, payload });
const prompt = (ms: number, id: string): string =>
  plain(ms, 'op', { UserTurn: { client_user_message_id: id, items: [] } });
const after = (lines: string[], from: Shown = NOT_STARTED): Shown => lines.reduce(nextShown, from);

const START = [plain(1000, 'session_start'), event(1250, 'StartupThreadStarted')];

test('its first conversation was made between its start and its word that it has one', () => {
  expect(after(START.slice(0, 1)).where).toEqual({ kind: 'starting', from: 1000 });
  expect(after(START).where).toEqual({ kind: 'began', from: 1000, to: 1250 });
});

test('a new one and a fork were made between the wish and the change', () => {
  for (const wish of [plain(5000, 'new_session'), event(5000, 'ForkCurrentSession')]) {
    const asked = after([wish], showing('a'));
    expect(asked.where).toEqual({ kind: 'thread', thread: 'a' });
    expect(after([event(5060, 'ResetTranscriptForThreadSwitch')], asked).where).toEqual({
      kind: 'began',
      from: 5000,
      to: 5060,
    });
  }
});

test('a change to one that was there before says nothing, until a prompt is sent from here', () => {
  const changed = after([event(9000, 'ResetTranscriptForThreadSwitch')], showing('a'));
  expect(changed).toEqual(MISSED);
  expect(after([prompt(9500, 'p1')], changed)).toEqual({ ...MISSED, prompt: 'p1' });
});

test('a prompt from before a change counts for nothing', () => {
  const changed = after([prompt(8000, 'p0'), event(9000, 'ResetTranscriptForThreadSwitch')], showing('a'));
  expect(changed.prompt).toBeUndefined();
});

test('a second process that writes to the same file makes all of it worthless', () => {
  expect(after([...START, plain(7000, 'session_start')])).toEqual(MISSED);
});

test('what is not understood changes nothing', () => {
  const shown = showing('a');
  for (const line of [
    '',
    '{',
    '[]',
    '{"ts":"x","kind":"op"}',
    event(1, 'CommitTick'),
    plain(1, 'op', 'Interrupt'),
  ])
    expect(nextShown(shown, line)).toBe(shown);
});

test('one that is drawn anew after its server has gone may be the same; later it is another', () => {
  const gone: Shown = { ...MISSED, where: { kind: 'thread', thread: 'a', backBy: 9000 } };
  const drawn = (ms: number): Shown => nextShown(gone, event(ms, 'ResetTranscriptForThreadSwitch'));
  expect(drawn(9000).where).toEqual({ kind: 'back', thread: 'a' });
  expect(drawn(9001)).toEqual(MISSED);
  expect(
    after([plain(5000, 'new_session'), event(5060, 'ResetTranscriptForThreadSwitch')], gone).where,
  ).toEqual({
    kind: 'began',
    from: 5000,
    to: 5060,
  });
});
