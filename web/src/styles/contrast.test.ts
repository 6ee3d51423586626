// Every text colour stands out from the papers it stands on as WCAG AA asks (4.5 to 1; edges of fields 3 to 1), in light and in
// dark.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = fs.readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const AA = 4.5;
const AA_EDGE = 3;

// The colours of the block that begins with this selector.
function coloursOf(selector: string): Record<string, string> {
  const at = css.indexOf(selector);
  const block = css.slice(css.indexOf('{', at), css.indexOf('}', at));
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]),
  );
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const TEXTS = ['ink', 'muted', 'accent', 'now', 'soon', 'good'];
const PAPERS = ['paper', 'sheet', 'sunk'];
const OTHERS = [
  ['on-accent', 'accent'],
  ['paper', 'now'],
  ['paper', 'ink'],
  ['now', 'now-wash'],
  ['soon', 'soon-wash'],
];

describe.each([
  ['light', ':root,\n:root[data-theme="light"]'],
  ['dark, as the system is', ':root[data-theme="system"]'],
  ['dark, as chosen', ':root[data-theme="dark"] {\n  --paper'],
])('%s', (_name, selector) => {
  const colours = coloursOf(selector);
  const pairs = [...TEXTS.flatMap((text) => PAPERS.map((paper) => [text, paper])), ...OTHERS];
  test.each(pairs)('%s on %s', (text = '', paper = '') => {
    expect(contrast(colours[text] ?? '#000000', colours[paper] ?? '#000000')).toBeGreaterThanOrEqual(AA);
  });
  test.each(PAPERS)('the edge of a field on %s', (paper) => {
    const edge = contrast(colours.field ?? colours[paper] ?? '#000000', colours[paper] ?? '#000000');
    expect(edge).toBeGreaterThanOrEqual(AA_EDGE);
  });
});

test('fields have that edge', () => {
  const base = fs.readFileSync(new URL('./base.css', import.meta.url), 'utf8');
  expect(base).toMatch(/select,\ntextarea \{[^}]*border: 1px solid var\(--field\)/);
});

test('what the terminal prints by default stands out too', () => {
  const colours = coloursOf(':root,\n:root[data-theme="light"]');
  expect(contrast(colours['screen-ink'] ?? '', colours['screen-paper'] ?? '')).toBeGreaterThanOrEqual(AA);
});
