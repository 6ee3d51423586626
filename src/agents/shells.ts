// A shell is no agent: it runs what it is sent.
import { baseName } from './recognise.js';

const SHELLS = new Set([
  'sh',
  'bash',
  'zsh',
  'fish',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'csh',
  'tcsh',
  'nu',
  'pwsh',
  'elvish',
  'xonsh',
  'busybox',
]);

// Options of shells that take the next word as their value.
const WITH_VALUE = new Set([
  '--rcfile',
  '--init-file',
  '-O',
  '+O',
  '-o',
  '+o',
  '--config',
  '--env-config',
  '-C',
  '--init-command',
]);

// True for a shell that waits for commands; false for one that runs a script or a `-c` line.
export function isInteractiveShell([program = '', ...args]: readonly string[]): boolean {
  const name = baseName(program);
  if (!SHELLS.has(name)) return false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (WITH_VALUE.has(word)) i++;
    else if (/^-[a-z]*c/.test(word) && !word.startsWith('--')) return false;
    else if (name === 'busybox' && SHELLS.has(word)) continue;
    else if (!/^[-+]/.test(word)) return false;
  }
  return true;
}

const KEY_DRIVEN = new Set([
  'vi',
  'vim',
  'nvim',
  'view',
  'nano',
  'emacs',
  'less',
  'more',
  'most',
  'man',
  'top',
  'htop',
]);

// An editor, a pager, a monitor: every letter of a text is a command to it.
export const isKeyDriven = ([program = '']: readonly string[]): boolean => KEY_DRIVEN.has(baseName(program));
