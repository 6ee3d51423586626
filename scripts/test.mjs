// `npm test`: installs, builds, type-checks, lints and runs every test; the last line counts them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import {
  installChromium,
  installDependencies,
  installSshServer,
  installTmux,
  requireNode,
  root,
} from './setup.mjs';

requireNode();
installTmux();
installSshServer();
installChromium();
installDependencies();

let passed = 0;
let failed = 0;
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
const bin = (name) => path.join(root, 'node_modules', name);

function check(name, run) {
  console.log(`\n== ${name}`);
  let ok = false;
  try {
    ok = run() !== false;
  } catch (error) {
    console.error(error.message);
  }
  if (ok) passed++;
  else failed++;
}

check('build', () => build({ force: true }));
check('types', () => node(bin('typescript/bin/tsc'), '-p', 'tsconfig.test.json'));
check('types of the page', () => node(bin('typescript/bin/tsc'), '-p', 'web'));
check('lint', () => node(bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'));
check('layers', () => node('scripts/check-layers.mjs'));

const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sm-test-')), 'report.json');
console.log('\n== tests');
const ran = node(
  bin('vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${report}`,
  ...process.argv.slice(2),
);
if (fs.existsSync(report)) {
  const { numPassedTests, numFailedTests } = JSON.parse(fs.readFileSync(report, 'utf8'));
  passed += numPassedTests;
  failed += numFailedTests;
}
// A run that breaks outside of any test (a file that does not load, say) is a failure too.
if (!ran && failed === 0) failed++;
fs.rmSync(path.dirname(report), { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
