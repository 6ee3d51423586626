import { expect, it } from 'vitest';
import { edit, type Key, Keys } from './box.js';

const keysOf = (...chunks: string[]): Key[] => {
  const keys = new Keys();
  return chunks.flatMap((chunk) => keys.push(chunk));
};

it('takes a paste as one text, wherever the input is cut', () => {
  const input = 'a\x1b[200~[x] #{y}\r\n\x1b[31mé\x1b[201~\r';
  const whole = [
    { kind: 'text', text: 'a' },
    { kind: 'text', text: '[x] #{y}\n\x1b[31mé' },
    { kind: 'enter' },
  ];
  for (let cut = 0; cut <= input.length; cut++)
    expect(keysOf(input.slice(0, cut), input.slice(cut)), `cut at ${cut}`).toEqual(whole);
});

it('edits a draft', () => {
  const draft = keysOf('hallo\x7f\x7f\x1b[C!\n', 'ok').reduce(edit, '');
  expect(draft).toBe('hal!\nok');
  expect(keysOf('\x15').reduce(edit, draft)).toBe('');
});
