// Every text colour stands out from the papers it stands on as WCAG AA asks (4.5 to 1; edges of fields 3 to 1), in light and in
// dark.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = fs.readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const AA = 4.5;
const AA_EDGE = 3;

// The colours as they are in light or in dark.
function coloursOf(scheme: 'light' | 'dark'): Record<string, string> {
  const given = css.matchAll(/--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g);
  return Object.fromEntries(
    [...given].map(([, name, light, dark]) => [name, scheme === 'dark' && dark ? dark : light]),
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

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const colours = coloursOf(scheme);
  const pairs = [...TEXTS.flatMap((text) => PAPERS.map((paper) => [text, paper])), ...OTHERS];
  test.each(pairs)('%s on %s', (text = '', paper = '') => {
    expect(contrast(colours[text] ?? '', colours[paper] ?? '')).toBeGreaterThanOrEqual(AA);
  });
  test.each(PAPERS)('the edge of a field on %s', (paper) => {
    const edge = contrast(colours.field ?? '', colours[paper] ?? '');
    expect(edge).toBeGreaterThanOrEqual(AA_EDGE);
  });
});

test('fields have that edge', () => {
  const base = fs.readFileSync(new URL('./base.css', import.meta.url), 'utf8');
  expect(base).toMatch(/select,\ntextarea \{[^}]*border: 1px solid var\(--field\)/);
});

test.each(['light', 'dark'] as const)('what the terminal prints by default stands out too: %s', (scheme) => {
  const colours = coloursOf(scheme);
  expect(contrast(colours['screen-ink'] ?? '', colours['screen-paper'] ?? '')).toBeGreaterThanOrEqual(AA);
});
