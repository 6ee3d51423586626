// `npm run test:tmux [version…]`: runs the tests of the hold on newer tmux versions, built from source into a cache.
// The source: TMUX_SOURCE (a git clone of tmux with its tags, a tarball, or a folder of tarballs tmux-VERSION.tar.gz), else the
// release tarball from GitHub, else the Debian source package of that version. The cache: TMUX_BUILDS.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail, requireNode, root } from './setup.mjs';

const VERSIONS = ['3.4', '3.5a', '3.6b'];
const TESTS = ['test/hold', 'src/tmux/hold'];
const RELEASES = 'https://github.com/tmux/tmux/releases/download';
const FETCH_MS = 60_000;

const builds = process.env.TMUX_BUILDS ?? path.join(os.homedir(), '.cache/suremail/tmux');
const source = process.env.TMUX_SOURCE;

const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
requireNode();
if (!fs.existsSync(vitest)) fail('Install the dependencies first: npm ci');
const asked = process.argv.slice(2);
const results = [];
for (const version of asked.length ? asked : VERSIONS) {
  const built = await get(version);
  if (built.ok) results.push({ version, outcome: test(version, built.folder) });
  else results.push({ version, outcome: `not tested: ${built.why}` });
}

console.log('');
for (const { version, outcome } of results) console.log(`tmux ${version}: ${outcome}`);
process.exit(results.every(({ outcome }) => outcome === 'passed') ? 0 : 1);

async function get(version) {
  if (!/^\d+\.\d+[a-z]?$/.test(version)) return { ok: false, why: 'not a version of tmux' };
  const folder = path.join(builds, version);
  if (works(folder)) return { ok: true, folder };
  const work = fs.mkdtempSync(path.join(os.tmpdir(), `sm-tmux-${version}-`));
  try {
    const unpacked = await unpack(version, work);
    if (!unpacked) return { ok: false, why: whyNoSource(version) };
    console.log(`== building tmux ${version}`);
    const log = path.join(work, 'build.log');
    const steps = [
      ...(fs.existsSync(path.join(unpacked, 'configure')) ? [] : [['sh', 'autogen.sh']]),
      ['./configure'],
      ['make', '-j2'],
    ];
    for (const [command, ...args] of steps)
      if (!run(command, args, { cwd: unpacked, log }))
        return { ok: false, why: `${command} failed: ${lastLines(log)}` };
    fs.mkdirSync(folder, { recursive: true });
    fs.copyFileSync(path.join(unpacked, 'tmux'), path.join(folder, 'tmux'));
    fs.chmodSync(path.join(folder, 'tmux'), 0o755);
    return works(folder) ? { ok: true, folder } : { ok: false, why: 'what was built does not run' };
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

// The folder that holds tmux's source, or undefined.
async function unpack(version, work) {
  const into = path.join(work, 'source');
  fs.mkdirSync(into);
  const tar = (file) => run('tar', ['-xf', file, '-C', into, '--strip-components=1']);
  if (source) {
    const stat = fs.statSync(source, { throwIfNoEntry: false });
    if (stat?.isFile()) return tar(source) ? into : undefined;
    const tarball = path.join(source, `tmux-${version}.tar.gz`);
    if (fs.existsSync(tarball)) return tar(tarball) ? into : undefined;
    const archive = path.join(work, 'source.tar');
    const found = run('git', ['-C', source, 'archive', '--prefix=tmux/', '-o', archive, version]);
    return found && tar(archive) ? into : undefined;
  }
  const file = path.join(work, 'release.tar.gz');
  if ((await download(`${RELEASES}/${version}/tmux-${version}.tar.gz`, file)) && tar(file)) return into;
  // Debian knows versions as 3.5a-3; only the one that the configured sources carry can be had.
  if (run('apt-get', ['source', '--download-only', `tmux=${version}*`], { cwd: work })) {
    const original = fs.readdirSync(work).find((name) => name.includes('.orig.tar'));
    if (original && tar(path.join(work, original))) return into;
  }
  return undefined;
}

async function download(url, file) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
    if (!response.ok) return false;
    fs.writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return true;
  } catch {
    return false;
  }
}

function whyNoSource(version) {
  return source
    ? `TMUX_SOURCE (${source}) has no tag or tarball for ${version}`
    : 'its source could not be had from GitHub or from the Debian sources; set TMUX_SOURCE to a clone or a tarball';
}

function works(folder) {
  return spawnSync(path.join(folder, 'tmux'), ['-V']).status === 0;
}

function run(command, args, { cwd = root, log } = {}) {
  const out = log ? fs.openSync(log, 'a') : 'ignore';
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', out, out] });
  if (log) fs.closeSync(out);
  return status === 0;
}

function lastLines(log) {
  return fs.readFileSync(log, 'utf8').trimEnd().split('\n').slice(-3).join(' | ');
}

function test(version, folder) {
  console.log(`\n== the hold on tmux ${version}`);
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...TESTS], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}` },
  });
  return status === 0 ? 'passed' : 'FAILED';
}
