import { describe, expect, it } from 'vitest';
import {
  deadNotice,
  deliveryNotice,
  doneNotice,
  endedNotice,
  expiryNotice,
  followUpNotice,
  inShort,
  lateLine,
  reminderText,
  stopNotice,
} from './notices.js';

const about = { id: '7f3a9c00aabb', recipient: 'abc123', recipient_name: 'engineer', text: 'do task X' };

describe('the texts of the first design', () => {
  it('tell of a delivery', () => {
    expect(deliveryNotice(about)).toBe(
      '[sm] Message delivered to engineer (abc123)\nOriginal: "do task X..."',
    );
  });

  it('tell of it again later', () => {
    expect(followUpNotice(about, 300_000)).toBe(
      '[sm] Reminder: 5m since your message to engineer was delivered\nOriginal: "do task X..."\nYou can check status with: sm output abc123',
    );
  });

  it('remind', () => {
    expect(reminderText('check on engineer progress')).toBe(
      '[sm] Scheduled reminder:\ncheck on engineer progress',
    );
  });
});

it('says of a message that expired, or was given up, what became of it and what can be done', () => {
  expect(expiryNotice(about)).toMatch(
    /^\[sm\] Message to engineer \(abc123\) expired.*\nOriginal: "do task X/,
  );
  expect(deadNotice(about, '5 attempts failed')).toMatch(
    /^\[sm\] Message to engineer \(abc123\) was given up: 5 attempts failed\nOriginal: .*\n.*sm redeliver 7f3a9c00aabb$/,
  );
});

describe('the end of a turn', () => {
  it('is told with the beginning of the answer, where there is one', () => {
    expect(doneNotice(about, 'completed', 'All 42 tests pass.\n')).toBe(
      '[sm] engineer (abc123) has finished the turn that took your message\nOriginal: "do task X..."\nAnswer:\nAll 42 tests pass.',
    );
    expect(doneNotice(about, 'completed', undefined)).toBe(
      '[sm] engineer (abc123) has finished the turn that took your message\nOriginal: "do task X..."',
    );
    const long = doneNotice(about, 'completed', Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n'));
    expect(long).toContain('line 4 …');
    expect(long).not.toContain('line 5');
    expect(doneNotice(about, 'completed', 'x'.repeat(9000)).length).toBeLessThan(700);
  });

  it('is not told as finished when it was interrupted, or when nobody can know', () => {
    expect(doneNotice(about, 'interrupted', undefined)).toContain('was interrupted in the turn');
    expect(stopNotice(about)).not.toContain('finished');
    expect(endedNotice(about)).toContain('has ended');
  });
});

it('quotes the beginning of a message, on one line', () => {
  const quote = (text: string) =>
    deliveryNotice({ ...about, text })
      .split('\n')
      .slice(1);
  expect(quote('first\n\n  second\tthird')).toEqual(['Original: "first second third..."']);
  expect(quote('🙂'.repeat(500))).toEqual([`Original: "${'🙂'.repeat(100)}..."`]);
  expect(quote('\n'.repeat(1000))).toEqual(['Original: "..."']);
});

it.each([
  [500, '500ms'],
  [45_000, '45s'],
  [300_000, '5m'],
  [90_000, '1m30s'],
  [5_400_000, '1h30m'],
  [90_061_000, '1d1h1m1s'],
  [59_999, '1m'],
])('says %i ms as %s', (ms, text) => {
  expect(inShort(ms)).toBe(text);
});

it('says when something was due and how late it is', () => {
  const due = new Date(2026, 6, 25, 17, 30).getTime();
  expect(lateLine(due, due + 125_000)).toBe('\n(due at 2026-07-25 17:30:00, 2m5s late)');
  expect(lateLine(due, due + 2 * 3_600_000 + 125_000)).toBe('\n(due at 2026-07-25 17:30:00, 2h2m late)');
  expect(lateLine(due, due + 200)).toContain('1s late');
});
