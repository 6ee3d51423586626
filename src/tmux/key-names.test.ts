import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isKeyName } from './key-names.js';

const SERVER = `smkeys-${process.pid}`;
const tmux = (...args: string[]): void => {
  execFileSync('tmux', ['-L', SERVER, '-f', '/dev/null', ...args], { stdio: 'ignore' });
};
beforeAll(() => tmux('new-session', '-d', 'cat'));
afterAll(() => tmux('kill-server'));

// tmux itself refuses to bind what it does not take for a key.
function isKnown(word: string): boolean {
  try {
    tmux('bind-key', '-T', 'any', '--', word.replace(/;$/, '\\;'), 'display-message');
    return true;
  } catch {
    return false;
  }
}

const KEYS = [
  ...[
    'F1',
    'F12',
    'IC',
    'Insert',
    'DC',
    'Delete',
    'Home',
    'End',
    'NPage',
    'PageDown',
    'PgDn',
    'PPage',
    'PageUp',
  ],
  ...[
    'PgUp',
    'Tab',
    'BTab',
    'Space',
    'BSpace',
    'Enter',
    'Escape',
    'Up',
    'Down',
    'Left',
    'Right',
    'KP/',
    'KP*',
  ],
  ...[
    'KP-',
    'KP+',
    'KP.',
    'KP7',
    'KPEnter',
    'enter',
    'ENTER',
    'c-g',
    'C-x',
    'C-M-S-Left',
    'C-Space',
    '^Left',
    '^',
  ],
  ...['^^', '^?', 'M--', 'C-@', '"', 'M-~', 'C-é', 'é', '漢', ';', 'C-;', 'C-/', 'C-]'],
];
test.each(KEYS)('%j is a key, to tmux too', (word) => {
  expect([isKeyName(word), isKnown(word)]).toEqual([true, true]);
});

// What one version of tmux or another would type out.
test.each([
  ...[
    '',
    'C-',
    'M-',
    'S-',
    'Ctrl-G',
    'Control-x',
    'A-x',
    'alt-x',
    'Esc',
    'Backspace',
    'Return',
    'ab',
    'C-ab',
    'F0',
  ],
  ...['F13', 'KPUp', 'C-g C-x', ' ', 'C-"', 'C-~', '^$', 'e\u0301', '\u0007', 'None'],
])('%j is none', (word) => expect(isKeyName(word)).toBe(false));
