// What stands on the command line of a program that is started, what does not, and what a pane that is respawned has again.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestTmux, until } from '../../test/support/tmux.js';
import { launchCommands } from './launch.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "sm it's "));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const SECRETS = { OPENCODE_SERVER_PASSWORD: 'p w', SOME_API_KEY: `it's "$HOME" \\ \`x\`\nand more` };
const launch = (command: string[], env: Record<string, string>) =>
  launchCommands({ command, cwd: '/', env, width: 80, height: 24, tmuxName: 'n' }, '%0', folder);

test('a secret stands on no command line, and nobody else reads its file', () => {
  const commands = launch(['opencode'], { SM_SESSION: 's', ...SECRETS }).join('\n');
  expect(commands).toContain('SM_SESSION=s');
  for (const word of ['PASSWORD', 'API_KEY', 'p w', 'and more']) expect(commands).not.toContain(word);
  const [file = ''] = fs.readdirSync(folder);
  expect(fs.statSync(path.join(folder, file)).mode & 0o077).toBe(0);
});

test('without a secret there is neither a shell nor a file', () => {
  expect(launch(['opencode'], { SM_SESSION: 's' }).join('\n')).not.toContain('sh');
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a program has them to the letter, also when its pane is respawned', async () => {
  const tmux = new TestTmux();
  try {
    const pane = await tmux.pane(['cat', '-']);
    const script = `require('fs').writeFileSync(process.argv[1], JSON.stringify(process.env)); setInterval(() => {}, 1000)`;
    const seen = tmux.file('seen');
    await pane.link.list(launch([process.execPath, '-e', script, seen], { PLAIN: 'x y', ...SECRETS }));
    const look = () => (fs.existsSync(seen) ? fs.readFileSync(seen, 'utf8') : '');
    for (const _time of ['first', 'again']) {
      await until(() => look().endsWith('}'), 'it runs');
      expect(JSON.parse(look())).toMatchObject({ PLAIN: 'x y', ...SECRETS });
      fs.rmSync(seen);
      tmux.run('respawn-pane', '-k', '-t', '%0');
    }
  } finally {
    tmux.dispose();
  }
});
