// What stands on the command line of a program that is started, and what does not.
import { expect, test } from 'vitest';
import { launchCommands } from './launch.js';

test('a secret stands on no command line, and reaches the program', () => {
  const [, respawn = ''] = launchCommands(
    {
      command: ['opencode'],
      cwd: '/',
      env: { SM_SESSION: 's', OPENCODE_SERVER_PASSWORD: 'p w' },
      width: 80,
      height: 24,
      tmuxName: 'n',
    },
    '%1',
  );
  const [options = '', words = ''] = respawn.split(' -- ');
  expect(options).toMatch(/-e \S*OPENCODE_SERVER_PASSWORD=p w/);
  expect(words).toContain('SM_SESSION=s');
  expect(words).not.toContain('PASSWORD');
});
