import { expect, test } from 'vitest';
import { briefed } from './briefed.js';
import { farBriefing } from './briefing.js';
import { GENERIC } from './profile.js';
import { Profiles } from './recognise.js';

const find = (name: string) => new Profiles([]).find(name) ?? GENERIC;

test.each(['claude', 'pi', 'qwen'])(
  '%s is told by its command line, beside what its user tells it',
  (name) => {
    const option = '--append-system-prompt';
    expect(briefed(find(name), [name], 'x')).toEqual([name, option, 'x']);
    expect(briefed(find(name), [name, option, 'own', 'hello'], 'x')).toEqual([
      name,
      option,
      'own\n\nx',
      'hello',
    ]);
    expect(briefed(find(name), [name, '--version'], 'x')).toEqual([name, '--version']);
    expect(briefed(find(name), ['sh', '-c', name], 'x')).toEqual(['sh', '-c', name]);
  },
);

test('one whose profile does not say how is started as it was asked for', () => {
  expect(briefed(GENERIC, ['agent', 'a'], 'x')).toEqual(['agent', 'a']);
});

test('where there is no sm, nobody is told to run it, and signals are markers', () => {
  const text = farBriefing('signals', ['blocked']);
  expect(text).not.toMatch(/run: sm/);
  expect(text).toContain('--<[sm:STATE:');
  expect(text).toContain('blocked');
  expect(farBriefing('none')).not.toContain('--<[');
});
