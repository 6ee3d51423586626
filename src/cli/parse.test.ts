import { describe, expect, it } from 'vitest';
import type { Command } from './command.js';
import cancel from './commands/cancel.js';
import history from './commands/history.js';
import start from './commands/new.js';
import send from './commands/send.js';
import signal from './commands/signal.js';
import { parse } from './parse.js';

const input = (command: Command, ...words: string[]) => {
  const parsed = parse('it', command, words);
  if (parsed === 'help') throw new Error('help');
  return parsed;
};
const failing =
  (command: Command, ...words: string[]) =>
  () =>
    input(command, ...words);

describe('options', () => {
  it('take an optional value only after "="', () => {
    expect(input(send, 'api', '--wait', 'hello')).toMatchObject({
      args: { session: ['api'], text: 'hello' },
      options: { wait: 'submitted' },
    });
    expect(input(send, 'api', 'hello', '--wait=received').options.wait).toBe('received');
    expect(input(send, 'api', 'hello').options.wait).toBeUndefined();
    expect(failing(send, 'api', 'hello', '--wait=recieved')).toThrow(
      /--wait "recieved": must be submitted or received or done; did you mean "received"/,
    );
  });

  it('may come after the arguments, and end at "--"', () => {
    expect(input(send, 'api', '--json', '--', '--wait')).toMatchObject({
      args: { session: ['api'], text: '--wait' },
      options: { json: true, wait: undefined },
    });
  });

  it('suggest the nearest when unknown', () => {
    expect(failing(send, 'api', 'hi', '--dryrun')).toThrow(
      'sm it has no option --dryrun; did you mean --dry-run?',
    );
    expect(failing(send, 'api', '-1 is less than 0')).toThrow('sm it has no option -1');
  });

  it('tell where a text goes that looks like one', () => {
    const hint = 'a text that starts with "-" goes after "--"';
    for (const command of [send, signal])
      expect(failing(command, 'error', '--‹x')).toThrow(
        expect.objectContaining({ hint: expect.stringContaining(hint) }),
      );
    expect(failing(cancel, '--‹x')).toThrow(
      expect.objectContaining({ hint: expect.not.stringContaining(hint) }),
    );
  });

  it('say what a value must be', () => {
    expect(failing(send, 'api', 'hi', '--timeout', 'soon')).toThrow(
      '--timeout "soon": must be a time such as 500ms, 30s, 5m or 1h30m; a bare number is seconds',
    );
    expect(failing(history, '-n', '0')).toThrow('-n "0": must be a whole number from 1 to 10000');
    expect(failing(send, 'api', 'hi', '--from')).toThrow('--from needs a value: --from NAME');
    expect(failing(send, 'api', 'hi', '--from', '--json')).toThrow(
      '--from needs a value, but "--json" looks like an option',
    );
    expect(failing(send, 'api', 'hi', '--json=yes')).toThrow('--json takes no value, but got "yes"');
  });

  it('read times and counts', () => {
    expect(input(send, 'api', 'hi', '--timeout', '1.5m').options.timeout).toBe(90_000);
    expect(input(send, 'api', 'hi', '--timeout', '250ms').options.timeout).toBe(250);
    expect(input(send, 'api', 'hi', '--timeout=30').options.timeout).toBe(30_000);
    expect(input(send, 'api', 'hi', '--timeout', '1h30m').options.timeout).toBe(5_400_000);
    expect(input(history, '-n5').options.limit).toBe(5);
    expect(input(history).options.limit).toBe(20);
  });
});

describe('arguments', () => {
  it('give all words but the last to the repeated one', () => {
    expect(input(send, 'a', 'b', 'c', 'text').args).toEqual({ session: ['a', 'b', 'c'], text: 'text' });
    expect(input(send, 'a', 'b', '--file', 'f')).toMatchObject({
      args: { session: ['a', 'b'] },
      sessions: ['a', 'b'],
    });
    expect(input(send, 'a', '-').args.text).toBe('-');
  });

  it('are named when missing or too many', () => {
    expect(failing(send)).toThrow('session is missing');
    expect(failing(send, 'api')).toThrow('text is missing');
    expect(failing(history, 'a', 'b')).toThrow('unexpected argument "b"');
  });

  it('leave a command line to its program', () => {
    expect(
      input(start, '--name', 'x', '--env', 'A=1', '--env', 'B=2', '--', 'claude', '--name', 'y', '--', 'z'),
    ).toMatchObject({
      args: { command: ['claude', '--name', 'y', '--', 'z'] },
      options: { name: 'x', env: ['A=1', 'B=2'] },
    });
    expect(input(start, '--name', 'x', 'claude', 'chat').args.command).toEqual(['claude', 'chat']);
    expect(failing(start, 'claude', '--resume')).toThrow('whose option is --resume?');
    expect(failing(start, 'claude', '--name', 'x')).toThrow('whose option is --name?');
    expect(failing(start, 'claude', '--', 'x')).toThrow('unexpected "claude" before "--"');
  });

  it('give way to --help', () => {
    expect(parse('it', send, ['--help'])).toBe('help');
    expect(parse('it', start, ['-h'])).toBe('help');
    expect(parse('it', start, ['--', 'claude', '--help'])).not.toBe('help');
  });
});
