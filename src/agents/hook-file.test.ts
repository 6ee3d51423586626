import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SettingsFile } from '../../test/support/settings-file.js';
import { HookFileError, type HookPlan, hookState, installHooks, uninstallHooks } from './hook-file.js';

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

describe('install, then uninstall', () => {
  test.each([
    [
      'settings with hooks of the user',
      '{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say"}]}]}}',
    ],
    ['tabs and no newline at the end', '{\n\t"a": 1\n}'],
    ['Windows line ends', '{\r\n  "a": 1\r\n}\r\n'],
    ['a byte order mark', '\ufeff{\r\n\t"a": 1\r\n}'],
    ['only a byte order mark', '\ufeff'],
    ['an empty file', ''],
    ['only white space', ' \n'],
    ['an empty list of hooks', '{ "hooks": {} }'],
  ])('%s: the same bytes', (_, before) => {
    write(before);
    expect(installHooks(plan)).toBe(true);
    expect(hookState(plan)).toBe('installed');
    expect(installHooks(plan)).toBe(false);
    expect(uninstallHooks(plan)).toBe(true);
    expect(read()).toBe(before);
    expect(hookState(plan)).toBe('absent');
  });

  test('no file before: none after', () => {
    installHooks(plan);
    expect(fs.statSync(plan.file).mode & 0o777).toBe(0o600);
    uninstallHooks(plan);
    expect(fs.existsSync(plan.file)).toBe(false);
  });

  test('a link stays a link, and rights stay', () => {
    const real = path.join(folder, 'dotfiles.json');
    fs.writeFileSync(real, '{}', { mode: 0o640 });
    fs.mkdirSync(path.dirname(plan.file));
    fs.symlinkSync(real, plan.file);
    installHooks(plan);
    expect(fs.lstatSync(plan.file).isSymbolicLink()).toBe(true);
    expect(fs.statSync(real).mode & 0o777).toBe(0o640);
    uninstallHooks(plan);
    expect(fs.readFileSync(real, 'utf8')).toBe('{}');
  });
});

test('a link that leads to nothing yet stays a link', () => {
  const real = path.join(folder, 'dotfiles', 'settings.json');
  fs.mkdirSync(path.dirname(plan.file));
  fs.symlinkSync('../dotfiles/settings.json', plan.file);
  installHooks(plan);
  expect(fs.readlinkSync(plan.file)).toBe('../dotfiles/settings.json');
  expect(fs.readFileSync(real, 'utf8')).toContain('hook.sh');
  uninstallHooks(plan);
  expect(fs.existsSync(real)).toBe(false);
  expect(fs.lstatSync(plan.file).isSymbolicLink()).toBe(true);
});

test('a file that is changed while it is being written is left alone', () => {
  write('{"own":true}');
  const chmod = vi.spyOn(fs, 'chmodSync').mockImplementationOnce(() => write('{"other":true}'));
  expect(() => installHooks(plan)).toThrow(/changed at this moment/);
  chmod.mockRestore();
  expect(fs.readdirSync(path.dirname(plan.file))).toEqual(['settings.json']);
  expect(installHooks(plan)).toBe(true);
  uninstallHooks(plan);
  expect(read()).toBe('{"other":true}');
});

test('new hooks that did not come to be written cost nothing: the file is still as it was afterwards', () => {
  write('{"own":true}');
  installHooks({ ...plan, ours: { Old: plan.ours.Stop ?? [] } });
  const chmod = vi.spyOn(fs, 'chmodSync').mockImplementationOnce(() => {
    throw new Error('killed');
  });
  expect(() => installHooks(plan)).toThrow('killed');
  chmod.mockRestore();
  uninstallHooks(plan);
  expect(read()).toBe('{"own":true}');
});

test('what cannot be written is named', () => {
  fs.writeFileSync(plan.backups, '');
  expect(() => installHooks(plan)).toThrow(HookFileError);
  expect(() => installHooks(plan)).toThrow(plan.backups);
  fs.rmSync(plan.backups);
  fs.mkdirSync(path.dirname(plan.file));
  fs.writeFileSync(path.join(folder, 'plain'), '');
  fs.symlinkSync(path.join(folder, 'plain', 'below', 'settings.json'), plan.file);
  expect(() => installHooks(plan)).toThrow(HookFileError);
  expect(() => installHooks(plan)).toThrow(plan.file);
});

test('what the user changed in between stays, and ours goes', () => {
  write('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say"}]}]}}');
  installHooks(plan);
  const edited = JSON.parse(read());
  edited.theme = 'dark';
  write(JSON.stringify(edited, null, 4));
  uninstallHooks(plan);
  expect(JSON.parse(read())).toEqual({
    theme: 'dark',
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say' }] }] },
  });
});

test('hooks of an older version are replaced, and the first backup counts', () => {
  write('{"own":true}');
  const older = { ...plan, ours: { Old: plan.ours.Stop ?? [] } };
  installHooks(older);
  expect(hookState(plan)).toBe('outdated');
  installHooks(plan);
  expect(Object.keys(JSON.parse(read()).hooks)).toEqual(['Stop']);
  uninstallHooks(plan);
  expect(read()).toBe('{"own":true}');
});

test('hooks of an older version in a file that was edited since never come back', () => {
  write('{"own":true}');
  const older = { ...plan, ours: { Old: plan.ours.Stop ?? [] } };
  installHooks(older);
  write(JSON.stringify({ ...JSON.parse(read()), theme: 'dark' }));
  installHooks(plan);
  uninstallHooks(plan);
  expect(JSON.parse(read())).toEqual({ own: true, theme: 'dark' });
});

test.each([
  ['', '-own/x'],
  ['/elsewhere', '/x'],
])('a folder whose name is nearly that of ours is theirs: %s…%s', (before, after) => {
  const command = `sh ${before}${plan.scripts}${after}`;
  write(JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }));
  expect(hookState(plan)).toBe('absent');
});

test('a home with an apostrophe in its name: its hooks are found again', () => {
  const scripts = path.join(folder, "it's", 'hooks');
  const command = `exec sh '${path.join(scripts, 'hook.sh').replaceAll("'", `'\\''`)}'`;
  plan = { ...plan, scripts, ours: { Stop: [{ hooks: [{ type: 'command', command }] }] } };
  write('{}');
  installHooks(plan);
  expect(hookState(plan)).toBe('installed');
  uninstallHooks(plan);
  expect(read()).toBe('{}');
});

test('bytes that are no UTF-8 are left alone', () => {
  const bytes = Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]);
  fs.mkdirSync(path.dirname(plan.file), { recursive: true });
  fs.writeFileSync(plan.file, bytes);
  expect(() => installHooks(plan)).toThrow(HookFileError);
  expect(fs.readFileSync(plan.file)).toEqual(bytes);
});

test.each(['{', '[]', '{"hooks": 1}', '{"hooks": {"Stop": [{"hooks": "x"}]}}'])(
  'settings that are not understood are left alone: %s',
  (text) => {
    write(text);
    expect(() => installHooks(plan)).toThrow(HookFileError);
    expect(() => uninstallHooks(plan)).toThrow(HookFileError);
    expect(read()).toBe(text);
  },
);

test.each([
  ['hooks.Stop "x": must be a list, such as [{"hooks": […]}]', '{"hooks":{"Stop":"x"}}'],
  ['hooks null: must be an object, such as {"Stop": […]}', '{"hooks":null}'],
  ['hooks.Stop.0 1: must be an object, such as {"hooks": […]}', '{"hooks":{"Stop":[1]}}'],
  ['hooks.Stop.0.hooks is missing: must be a list, such as [{"type": ', '{"hooks":{"Stop":[{}]}}'],
  ['hooks.Stop.0.hooks.0 []: must be an object, such as {"type": ', '{"hooks":{"Stop":[{"hooks":[[]]}]}}'],
  [`hooks "${'x'.repeat(79)}…: must be`, `{"hooks":"${'x'.repeat(500)}"}`],
  ['nothing was changed: [1]: must be an object', '[1]'],
  ['it must be JSON, without comments', '{"a":1,}'],
  ['it must be JSON, without comments', '{"a":1} // mine'],
])('an error names the file, the field, its value and what would be right: %s', (words, text) => {
  write(text);
  expect(() => installHooks(plan)).toThrow(`${plan.file} is not understood`);
  expect(() => installHooks(plan)).toThrow(words);
});
