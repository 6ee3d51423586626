// Answers of a terminal are told from a person's keys.
import { expect, test } from 'vitest';
import { isReply } from './replies.js';

test.each([
  '\x1b[?1;2c',
  '\x1b[>0;276;0c',
  '\x1b[0n',
  '\x1b[12;40R',
  '\x1b[1;1R',
  '\x1b[?12;40R',
  '\x1b[?2026;2$y',
  '\x1b[8;30;100t',
  '\x1b[?1u',
  '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\',
  '\x1b]10;rgb:ffff/ffff/ffff\x07',
  '\x1bP>|xterm.js(6.0.0)\x1b\\',
  '\x1bP1$r0m\x1b\\',
])('%j is said by a terminal', (text) => expect(isReply(Buffer.from(text))).toBe(true));

test.each([
  'a',
  '\x1b',
  '\r',
  '\x1b[A',
  '\x1bOA',
  '\x1b[1;5R',
  '\x1b[1;2R',
  '\x1b[15~',
  '\x1b[27;5;13~',
  '\x1b[13;2u',
  '\x1b[I',
  '\x1b[<0;10;5M',
  '\x1b[200~\x1b]0;x\x07\x1b[201~',
  '\x1bP',
  '\x1b]',
  '漢',
])('%j is a key', (text) => expect(isReply(Buffer.from(text))).toBe(false));
