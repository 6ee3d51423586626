import { readdirSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { parse } from './parse.js';
import { ENTRIES } from './registry.js';
import { run } from './run.js';

afterEach(() => vi.restoreAllMocks());

function captured(): { text: string } {
  const seen = { text: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    seen.text += String(chunk);
    return true;
  });
  return seen;
}

it('every file in commands/ is registered', () => {
  const files = readdirSync(new URL('./commands', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
  expect(files.sort()).toEqual(ENTRIES.map(({ name }) => name).sort());
});

it.each(ENTRIES.map(({ name }) => name))(
  'sm %s --help has a usage and an example of itself',
  async (name) => {
    const seen = captured();
    expect(await run([name, '--help'])).toBe(0);
    expect(seen.text).toContain(`Usage: sm ${name}`);
    expect(seen.text.slice(seen.text.indexOf('\nExamples'))).toMatch(new RegExp(`\\bsm ${name}\\b`));
  },
);

// Simple examples are run through the parser, so that help cannot show what would be refused.
it.each(ENTRIES.map((entry) => [entry.name, entry] as const))(
  'the examples of sm %s parse',
  async (name, entry) => {
    const command = await entry.load();
    for (const { run: example } of command.examples) {
      const words = /\bsm (.*?)(?: [|>] .*|\)")?$/.exec(example)?.[1]?.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      expect(words[0]).toBe(name);
      expect(() =>
        parse(
          name,
          command,
          words.slice(1).map((word) => word.replace(/^(["'])(.*)\1$/, '$2')),
        ),
      ).not.toThrow();
    }
  },
);

it('the overview names every command and exit code', async () => {
  const seen = captured();
  expect(await run([])).toBe(0);
  for (const { name, summary } of ENTRIES) expect(seen.text).toContain(`  ${name.padEnd(10)}  ${summary}`);
  for (const code of [0, 1, 2, 3, 4, 5, 124]) expect(seen.text).toMatch(new RegExp(`^ {2}${code} `, 'm'));
});

it('prints its version', async () => {
  const seen = captured();
  expect(await run(['--version'])).toBe(0);
  expect(seen.text).toMatch(/^sm \d+\.\d+\.\d+\n$/);
});
