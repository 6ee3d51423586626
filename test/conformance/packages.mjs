// The real agents, pinned: installed once from the npm registry into a cache folder, and found there again.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// `needs` names another entry; `beside` are packages installed into the same folder.
export const PACKAGES = {
  claude: { npm: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { npm: '@openai/codex', version: '0.166.0' },
  gemini: { npm: '@google/gemini-cli', version: '0.61.0' },
  opencode: { npm: 'opencode-ai', version: '1.18.33' },
  qwen: { npm: '@qwen-code/qwen-code', version: '0.24.4', needs: ['node24'] },
  pi: { npm: '@mariozechner/pi-coding-agent', version: '0.73.1' },
  copilot: { npm: '@github/copilot', version: '1.0.102' },
  ink: { npm: 'ink-text-input', version: '6.0.0', beside: ['ink@6.8.0', 'react@19.3.1'] },
  // Qwen Code does not run on older versions of node.
  node24: { npm: 'node', version: '24.21.0' },
};

// Versions that people still run, and in which other ways in work: measured with fewer cells than the newest.
export const OLDER = ['2.0.77', '2.1.31', '2.1.112', '2.1.220'].map((version) => `claude@${version}`);

const INSTALL_MS = 900_000;

// By its name, or another version of it as NAME@VERSION.
export function packageOf(name) {
  const [base, version] = name.split('@');
  const known = PACKAGES[base];
  return known && { ...known, base, version: version ?? known.version };
}

export const cacheFolder = () =>
  path.resolve(process.env.SM_AGENTS_CACHE || path.join(os.homedir(), '.cache', 'suremail', 'agents'));

export const packageFolder = (name) => {
  const { base, version } = packageOf(name);
  return path.join(cacheFolder(), base, version);
};
export const binFolder = (name) => path.join(packageFolder(name), 'node_modules', '.bin');

// A folder is complete once this file is in it.
const doneFile = (name) => path.join(packageFolder(name), '.done');

// Installs what is missing; `tell` is given one line for each package that is fetched.
export function install(name, tell = () => {}) {
  for (const other of packageOf(name).needs ?? []) install(other, tell);
  if (fs.existsSync(doneFile(name))) return;
  const { npm, version, beside = [] } = packageOf(name);
  const folder = packageFolder(name);
  tell(`installing ${npm} ${version}`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${npm}@${version}`, ...beside];
  const npmRun = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: INSTALL_MS });
  if (npmRun.status !== 0) {
    fs.rmSync(folder, { recursive: true, force: true });
    const said = (npmRun.stderr || String(npmRun.error ?? '')).trim().split('\n')[0];
    throw new Error(`${npm}@${version} could not be installed: ${said}`);
  }
  fs.writeFileSync(doneFile(name), '');
}
