import { describe, expect, it } from 'vitest';
import { cut, fitRow, fitTable, textWidth } from './table.js';

const columns = [
  { title: 'NAME' },
  { title: 'N', right: true },
  { title: 'FOLDER', text: true },
  { title: 'TEXT', text: true },
];

describe('cells', () => {
  it('are measured in terminal columns', () => {
    expect(textWidth('abc')).toBe(3);
    expect(textWidth('日本語')).toBe(6);
    expect(textWidth('e\u0301')).toBe(1);
    expect(textWidth('👩‍👩‍👧')).toBe(2);
  });

  it('are cut between characters, never inside one', () => {
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('日本語', 4)).toBe('日…');
    expect(cut('日本語', 6)).toBe('日本語');
    expect(cut('👩‍👩‍👧x', 2)).toBe('…');
  });
});

describe('tables', () => {
  const rows = [
    ['api', '1', '/home/me/api', 'a long text that cannot fit into forty columns'],
    ['web', '12', '/srv', '日本語のとても長い文章なので切られるはずです'],
  ];

  it('have rows that come by themselves, without titles', () => {
    expect(fitRow(columns, ['a', '1', '/srv', 'text'], 80)).toBe('a     1  /srv    text');
    expect(textWidth(fitRow(columns, rows[0] ?? [], 40))).toBeLessThanOrEqual(40);
  });

  it('cut the widest text column until they fit', () => {
    const lines = fitTable(columns, rows, 40);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(40);
    expect(lines[1]).toContain('/home/me/api');
    expect(lines[1]).toMatch(/…$/);
    expect(lines[2]).toMatch(/…$/);
  });

  it('align columns and cut nothing that fits', () => {
    const lines = fitTable(columns, rows, Number.POSITIVE_INFINITY);
    expect(lines[0]).toBe('NAME   N  FOLDER        TEXT');
    expect(lines[2]).toBe('web   12  /srv          日本語のとても長い文章なので切られるはずです');
  });
});
