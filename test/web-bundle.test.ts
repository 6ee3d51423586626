// What a browser loads before a terminal is opened stays small, and the page holds no script of its own.
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ROOT } from './support/tmux.js';

const folder = path.join(ROOT, 'dist/web');
const MOST_BYTES = 300 * 1024;

test('all that the page loads at first is below 300 KB, gzipped, and the terminal is not in it', () => {
  const html = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(1);
  const texts = ['index.html', ...files].map((file) => fs.readFileSync(path.join(folder, file)));
  expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(MOST_BYTES);
  expect(texts.some((text) => text.includes('registerCsiHandler'))).toBe(false);
  const assets = fs.readdirSync(path.join(folder, 'assets'));
  expect(assets.filter((name) => name.startsWith('terminal-view'))).toHaveLength(2);
});

test('every script is a file with a hash in its name, as the policy of the page asks', () => {
  const html = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)</g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes, inside] of scripts) {
    expect(attributes).toMatch(/src="\/assets\/[\w-]+-[\w-]{8}\.js"/);
    expect(inside).toBe('');
  }
  expect(html).not.toMatch(/ on[a-z]+=|style=/);
});
