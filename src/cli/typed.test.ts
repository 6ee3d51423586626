// Errors speak of what was typed, whatever the daemon calls it.
import { describe, expect, it, test } from 'vitest';
import type { Command } from './command.js';
import { parse } from './parse.js';
import { ENTRIES } from './registry.js';
import { failureMessage } from './report.js';
import { fieldsOf } from './typed.js';

async function said(line: string[], field: string, value: unknown, words = 'must be right'): Promise<string> {
  const [name = '', ...rest] = line;
  const command = (await ENTRIES.find((one) => one.name === name)?.load()) as Command;
  const input = parse(name, command, rest);
  if (input === 'help') throw new Error('help');
  const detail = { code: 'invalid_input', message: `${field}: ${words}`, field, value, expected: words };
  return failureMessage(detail, input.typed);
}

describe('an option whose field has another name', () => {
  const send = (...more: string[]): string[] => ['send', 'api', ...more];
  test.each<[string[], string, unknown, string]>([
    [send('x', '--timeout', '31d'), 'timeout_seconds', 2678400, '--timeout "31d"'],
    [send('x', '--timeout=31d'), 'timeout_seconds', 2678400, '--timeout "31d"'],
    [send('x', '--notify-after', '31d'), 'notify_after_seconds', 2678400, '--notify-after "31d"'],
    [send('x', '--from', 'a(b'), 'from.name', 'a(b', '--from "a(b"'],
    [send('x', '--wait'), 'wait_for', 'submitted', '--wait "submitted"'],
    [send('x', '--urgent'), 'mode', 'urgent', '--urgent'],
    [send('x', '--at-least-once'), 'surety', 'at_least_once', '--at-least-once'],
    [send('--file', 'big.txt'), 'text', 'aaa…', '--file "big.txt"'],
    [send('web', 'x'), 'to.1', 'web', 'session "web"'],
    [['ask', 'api', 'x', '--from', 'a(b'], 'from.name', 'a(b', '--from "a(b"'],
    [['remind', '400d', 'x'], 'in_seconds', 34560000, 'time "400d"'],
    [['wake', '--every', '400d', 'x'], 'every_seconds', 34560000, '--every "400d"'],
    [['new', '--group', 'a', '--group', 'a b', 'cat'], 'groups.1', 'a b', '--group "a b"'],
    [['new', '--past-draft', 'now', 'cat'], 'past_draft', 'now', '--past-draft "now"'],
    [['spawn', '--profile', 'x', 'hi'], 'agent', 'x', '--profile "x"'],
    [['spawn', '--agent', 'no-such', 'hi'], 'command', ['no-such'], '--agent "no-such"'],
    [['inbox', 'read', 'abc', 'def'], 'item', 'def', 'id "def"'],
    [['group', 'add', 'g', 'a', 'b'], 'add.1', 'b', 'session "b"'],
    [['agents', 'show', 'nix'], 'agent', 'nix', 'name "nix"'],
    [['busy', 'x'.repeat(300)], 'busy', 'xxx', `reason "${'x'.repeat(100)}"`],
    [['wait', 'ab'], 'message', 'ab', 'session|message "ab"'],
  ])('%j', async (line, field, value, name) => {
    expect(await said(line, field, value)).toBe(`${name}: must be right`);
  });

  it('also where the words do not begin with it, or begin with it as a subject', () => {
    const typed = [{ name: '--notify-on-stop', fields: ['notify_on_stop'], value: '' }];
    const refused = (field: string, message: string, value: unknown) =>
      failureMessage({ code: 'invalid', message, field, value, expected: 'a session' }, typed);
    expect(refused('notify_on_stop', 'notify_on_stop is not for mail to a person', true)).toBe(
      '--notify-on-stop is not for mail to a person; expected a session',
    );
    expect(refused('notify_on_stop', 'is not for mail to a person', true)).toBe(
      '--notify-on-stop: is not for mail to a person; expected a session',
    );
  });
});

it('what was not typed keeps its name, and no value is made up', async () => {
  expect(await said(['send', 'api', 'x'], 'from.session', 'gone')).toBe('from.session "gone": must be right');
  expect(failureMessage({ code: 'x', message: 'nothing is unread', field: 'to', value: null })).toBe(
    'to: nothing is unread',
  );
});

test('no option says what its name says already', async () => {
  for (const { name, load } of ENTRIES) {
    const { options, args } = await load();
    const named = [...Object.entries(options), ...args.map((one) => [one.name, one] as const)];
    for (const [own, described] of named)
      if (described.field !== undefined)
        expect([name, own, fieldsOf(own, described)]).not.toEqual([name, own, fieldsOf(own, {})]);
  }
});
