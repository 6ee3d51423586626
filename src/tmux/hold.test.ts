// The parts of a hold that need no tmux: which versions have an opener, and what becomes of the user's own bindings.
import { describe, expect, it } from 'vitest';
import { channel, finishCommand, HoldNames } from './hold-names.js';
import { hasOpener, type TablePlan, tableCommands } from './hold-table.js';

it.each([
  ['3.3', false],
  ['3.3a', false],
  ['3.4', true],
  ['3.6b', true],
  ['4.0', true],
  ['next-3.7', true],
  ['openbsd-7.4', true],
  ['master', true],
])('tmux %s blocks clients by an opener: %s', (version, expected) => {
  expect(hasOpener(version)).toBe(expected);
});

it('every hold has a channel of its own, and every pane variables of its own', () => {
  expect(channel('a1')).not.toBe(channel('a2'));
  expect(new HoldNames('%1').variable('token')).not.toBe(new HoldNames('%11').variable('token'));
});

it('the command that ends a hold asks first, and unsets every variable that a hold sets', () => {
  const names = new HoldNames('%7');
  const finish = finishCommand(names, 'tok', ['RESTORE'], ['table-0']);
  expect(finish.startsWith('if-shell -F ')).toBe(true);
  for (const name of ['token', 'since', 'limit', 'entered', 'left', 'openers', 'kind', 'finish'] as const)
    expect(finish).toContain(`set-environment -g -u ${names.variable(name)} `);
});

describe('bindings of the user', () => {
  const plan = (bindings: string[], other: Partial<TablePlan> = {}): string[] => {
    const { now, after } = tableCommands({
      names: new HoldNames('%7'),
      token: 'tok',
      table: 'smhold-tok-0',
      standsFor: 'root',
      bindings,
      prefixes: [],
      giveBack: [],
      letters: false,
      mouse: false,
      ...other,
    });
    return [...now, ...after];
  };
  const added = (bindings: string[], other: Partial<TablePlan> = {}): string[] =>
    plan(bindings, other).slice(plan([], other).length);

  it('wait, and then do what they did', () => {
    const [line = '', ...rest] = added([
      'bind-key -r -T root   M-Left  select-pane -L \\; display-message x',
    ]);
    expect(rest).toEqual([]);
    expect(line).toMatch(
      /bind-key -T smhold-tok-0 M-Left if-shell -F .* \\; select-pane -L \\; display-message x \}$/,
    );
    expect(line).toContain('wait-for smhold-tok ');
  });

  it('of the mouse only where tmux has the mouse', () => {
    const wheel = 'bind-key -T root WheelUpPane copy-mode -e';
    expect(added([wheel])).toHaveLength(0);
    expect(added([wheel], { mouse: true })).toHaveLength(1);
  });

  it('of a table whose name has blanks are found', () => {
    expect(added(['bind-key -T my table F5 new-window'], { standsFor: 'my table' })[0]).toContain(
      ' F5 if-shell',
    );
  });

  it('that cannot be read are left out', () => {
    expect(added(['bind-key -T other F5 new-window', 'nonsense', ''])).toEqual([]);
  });
});

describe('letters that are told from keys that edit', () => {
  const kinds = (bindings: string[], prefixes: string[] = []): Map<string, string> => {
    const { now, after } = tableCommands({
      names: new HoldNames('%7'),
      token: 'tok',
      table: 'smhold-tok-0',
      standsFor: 'root',
      bindings,
      prefixes,
      giveBack: [],
      letters: true,
      mouse: false,
    });
    // As tmux does: a later line takes the place of an earlier one.
    const bound = [...now, ...after].flatMap((line): [string, string][] => {
      const [, key = '', rest = ''] = /bind-key -T smhold-tok-0 (\S+) (.*)$/.exec(line) ?? [];
      const [, kind = ''] = /SMHOLD_7_K "(\w)"/.exec(rest) ?? [];
      const then = rest.slice(rest.lastIndexOf('\\;') + 3);
      return key === '' ? [] : [[key, `${kind} ${then}`]];
    });
    return new Map(bound);
  };

  it('are text, and nothing else is', () => {
    const all = kinds([]);
    for (const key of ['a', 'Z', '0', 'é', 'ß', 'Space', '.', '?']) expect(all.get(key)).toBe('t send-keys');
    expect([all.get('Any'), all.get('Enter'), all.get('Escape')]).toEqual([
      'k send-keys',
      'e send-keys',
      'x send-keys',
    ]);
    for (const key of ['Left', 'BSpace', 'C-a', '中', ';']) expect(all.has(key)).toBe(false);
  });

  it('but for those that the user has bound, or that are a prefix', () => {
    const own = 'x'.repeat(900);
    const all = kinds(
      [
        'bind-key -T root a display-message mine',
        `bind-key -r -T root b display-message ${own}`,
        'bind-key -T root Space copy-mode',
      ],
      ['q'],
    );
    expect(all.get('a')).toMatch(/^k display-message mine/);
    expect(all.get('b')).toBe(`k display-message ${own}`);
    expect(all.get('Space')).toMatch(/^k copy-mode/);
    expect(all.get('c')).toBe('t send-keys');
    expect([...all].find(([key]) => key.includes('q'))?.[1]).toMatch(/^k switch-client -T prefix/);
    expect(all.get('q')).not.toBe('t send-keys');
  });
});
