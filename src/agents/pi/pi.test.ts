// What pi is started with, and how our text is taken out of its input box again.
import { describe, expect, test } from 'vitest';
import type { LaunchContext } from '../door.js';
import { piDoor } from './index.js';
import { launchPi } from './launch.js';

const { takeOut } = await import(new URL('./box.mjs', import.meta.url).href);
const { Turns } = await import(new URL('./turns.mjs', import.meta.url).href);

const start = (command: string[], briefing: string | null = null) =>
  launchPi({ command, folder: '/door', hooksFolder: '/hooks', briefing } as unknown as LaunchContext);

describe('a start', () => {
  test('has our extension before the words of the user', () => {
    expect(start(['pi', '--extension', 'theirs.ts', 'a prompt'], 'about mail')).toEqual({
      command: [
        'pi',
        '--extension',
        '/hooks/pi/extension.mjs',
        '--append-system-prompt',
        'about mail',
        '--extension',
        'theirs.ts',
        'a prompt',
      ],
      env: { SM_DOOR: '/door' },
    });
  });

  test('of a version that was never tried is left alone', async () => {
    const context = {
      command: ['pi'],
      folder: '/door',
      hooksFolder: '/hooks',
      briefing: null,
      version: '0.73.0',
    };
    expect((await piDoor.prepare(context as unknown as LaunchContext)).env).toEqual({});
  });

  test.each([
    ['pi', '-p', 'x'],
    ['pi', '--mode', 'rpc'],
    ['pi', 'install', 'x'],
    ['pi', '--help'],
  ])('without a session is left alone: %s %s', (...command) =>
    expect(start(command)).toEqual({ command, env: {} }),
  );
});

describe('our text in the box', () => {
  test.each([
    ['ours', ''],
    ['ours\n\nmine', 'mine'],
    ['theirs\n\nours', 'theirs'],
    ['theirs\n\nours\n\nmine', 'theirs\n\nmine'],
  ])('is taken out of %j', (draft, rest) => expect(takeOut(draft, 'ours')).toBe(rest));

  test('is known as the box keeps it', () => expect(takeOut('a    b\nc', 'a\tb\r\nc')).toBe(''));

  test.each(['mine', 'ours and more', 'more of ours', 'our', 'x\nours'])(
    'is left where it is not alone: %j',
    (draft) => expect(takeOut(draft, 'ours')).toBeUndefined(),
  );
});

describe('turns', () => {
  const play = (steps: (turns: InstanceType<typeof Turns>) => void) => {
    const told: { kind: string; how?: string; answer?: string | null; state?: string }[] = [];
    steps(new Turns((entry: (typeof told)[number]) => told.push(entry)));
    return told.map(({ kind, how, answer, state }) =>
      [kind, state ?? how, answer].filter((x) => x != null).join(' '),
    );
  };
  const whole = (text: string) => ({ text, how: 'stop', goesOn: false });

  test('a prompt behind an answer begins another', () => {
    const told = play((turns) => {
      turns.started();
      turns.prompted();
      turns.answered(whole('one'));
      turns.prompted();
      turns.answered(whole('two'));
      turns.ended();
    });
    expect(told).toEqual([
      'turn_started',
      'status busy',
      'turn_ended completed one',
      'turn_started',
      'status idle',
      'turn_ended completed two',
    ]);
  });

  test('a prompt behind a tool belongs to the turn that runs', () => {
    const told = play((turns) => {
      turns.started();
      turns.answered({ text: '', how: 'toolUse', goesOn: true });
      turns.prompted();
      turns.answered({ text: '', how: 'aborted', goesOn: false });
      turns.ended();
    });
    expect(told).toEqual(['turn_started', 'status busy', 'status idle', 'turn_ended interrupted']);
  });

  test('an error that is tried again does not end it', () => {
    const told = play((turns) => {
      turns.started();
      turns.answered({ text: '', how: 'error', goesOn: false });
      turns.ended();
      turns.started();
      turns.answered(whole('after all'));
      turns.ended();
    });
    expect(told.at(-1)).toBe('turn_ended completed after all');
    expect(told.filter((line) => line === 'turn_started')).toHaveLength(1);
  });
});
