import path from 'node:path';
import { expect, test } from 'vitest';
import { settingsPlaces } from './settings-places.js';

test('folders are those of this shell, and one that is empty is none', () => {
  const env = { HOME: '/home/me', CLAUDE_CONFIG_DIR: '', GEMINI_CLI_HOME: 'here', OTHER: 'x' };
  expect(settingsPlaces(env)).toEqual({
    HOME: '/home/me',
    GEMINI_CLI_HOME: path.join(process.cwd(), 'here'),
  });
});
