import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SettingsFile } from '../../test/support/settings-file.js';
import { type HookPlan, hookState, installHooks, uninstallHooks } from './hook-file.js';

let settings: SettingsFile;
let folder: string;
let plan: HookPlan;
beforeEach(() => {
  settings = new SettingsFile();
  ({ folder, plan } = settings);
});
afterEach(() => settings.remove());

const write = (text: string): void => settings.write(text);
const read = (): string => settings.read();

const OWN = `{
    "big": 9007199254740993, "hundred": 1.0e2,
  "escaped": "\\u00e9\\/",   "list": [ 1,2 ],
    "hooks": {
        "Other": [ ],
        "Stop": [ {"hooks": [{"command":"say", "timeout": 5.0}]} ]
    },

    "theme": "light"
}`;

test.each([
  ['spaces', OWN],
  ['Windows line ends, tabs', OWN.replaceAll('\n', '\r\n').replaceAll('    ', '\t')],
  ['a byte order mark', `\ufeff${OWN}`],
  ['a hook event of ours that stands empty', OWN.replace('"Other"', '"Stop2"').replace('[ ]', '[\n]')],
  ['empty hooks', OWN.replace(/"hooks": \{.*\n {4}\},/s, '"hooks": { },')],
  ['no hooks', OWN.replace(/"hooks": \{.*\n {4}\},/s, '')],
  ['one line', '{"theme": "light","n":1.50}'],
])(
  'every byte of the user stays while installed, and after an uninstall of a file that was edited: %s',
  (_, own) => {
    plan = { ...plan, ours: { ...plan.ours, Stop2: plan.ours.Stop ?? [] } };
    write(own);
    installHooks(plan);
    for (const line of own.split('\n').filter((text) => /big|escaped|theme/.test(text)))
      expect(read()).toContain(line.replace(/\}$/, ''));
    write(read().replace('"light"', '"dark"'));
    uninstallHooks(plan);
    expect(read()).toBe(own.replace('"light"', '"dark"'));
  },
);

test('what the user added behind ours, and within, stays as it is written', () => {
  write('{}\n');
  installHooks(plan);
  const own = '{"command": "say",  "timeout": 1.0}';
  write(
    read()
      .replace(/\}\n *\]\n/, (found) => `}, ${own}${found.slice(1)}`)
      .replace(/\n\}\n$/, ',\n  "n": 1e3\n}\n'),
  );
  expect(hookState(plan)).toBe('installed');
  uninstallHooks(plan);
  expect(read()).toContain(own);
  expect(read()).toContain('\n  "n": 1e3\n}\n');
  expect(JSON.parse(read())).toEqual({ n: 1000, hooks: { Stop: [{ hooks: [JSON.parse(own)] }] } });
});

test.each([
  ['first in, first out', [0, 1]],
  ['last in, first out', [1, 0]],
])('two homes in one file: %s', (_, order) => {
  const scripts = path.join(folder, 'second', 'scripts');
  const ours = { Stop: [{ hooks: [{ type: 'command', command: `sh '${scripts}/hook.sh'` }] }] };
  const plans = [plan, { ...plan, scripts, ours, backups: path.join(folder, 'second', 'backups') }];
  const own = '{\n  "n": 1.0,\n  "m": [ ]\n}';
  write(own);
  for (const one of plans) installHooks(one);
  for (const one of plans) expect(hookState(one)).toBe('installed');
  for (const i of order) uninstallHooks(plans[i] as HookPlan);
  expect(read()).toBe(own);
});

test('hooks of an older version in a file that was edited since: every other byte stays', () => {
  write('{ "hooks": { }, "n": 1.0 }');
  installHooks({ ...plan, ours: { Old: plan.ours.Stop ?? [] } });
  write(read().replace('1.0', '2.0'));
  installHooks(plan);
  expect(hookState(plan)).toBe('installed');
  uninstallHooks(plan);
  expect(read()).toBe('{ "hooks": { }, "n": 2.0 }');
});
