// What `npm start` and `npm test` need before they can begin: a fit Node, the dependencies, tmux, and for tests a Chromium.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const TMUX_WANTED = [3, 3];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Suremail needs Node 20.19 or newer; this is ${process.version} (${process.execPath}).`);
}

// Installs when there is nothing yet, or when the lock file is newer than what was installed from it.
export function installDependencies() {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  const fresh =
    fs.existsSync(installed) &&
    fs.statSync(installed).mtimeMs >= fs.statSync(path.join(root, 'package-lock.json')).mtimeMs;
  if (fresh) return;
  console.log('Installing dependencies (the first time takes a minute or two) …');
  // Development tools build the project, so they are wanted whatever NODE_ENV says.
  const { status } = spawnSync('npm', ['ci', '--include=dev', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...headers() },
  });
  if (status !== 0) fail('npm ci failed; its messages are above.');
  const now = new Date();
  fs.utimesSync(installed, now, now);
}

// Where no ready-made native module can be fetched, one is compiled: with the headers that came with this Node, if they did.
function headers() {
  const prefix = path.resolve(path.dirname(fs.realpathSync(process.execPath)), '..');
  return fs.existsSync(path.join(prefix, 'include/node/node_version.h'))
    ? { npm_config_nodedir: prefix }
    : {};
}

export function installTmux() {
  if (hasTmux()) return;
  const install = installer('tmux');
  if (install) {
    console.log(`Installing tmux: ${install.at(-1).join(' ')} …`);
    for (const [command, ...args] of install) spawnSync(command, args, { stdio: 'inherit' });
    if (hasTmux()) return;
  }
  fail(
    'Suremail needs tmux 3.3 or newer: install it ("sudo apt-get install tmux", "brew install tmux") and run this again.',
  );
}

const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

// The tests of the dashboard need it; without one they are left out, and this says so.
export function installChromium() {
  const isThere = () => [process.env.SM_CHROMIUM, ...CHROMIUM].some((place) => place && fs.existsSync(place));
  if (isThere()) return;
  const install = process.platform === 'linux' ? installer('chromium') : undefined;
  if (install) {
    console.log(`Installing Chromium: ${install.at(-1).join(' ')} …`);
    for (const [command, ...args] of install) spawnSync(command, args, { stdio: 'inherit' });
    if (isThere()) return;
  }
  console.log(
    'No Chromium: the tests of the dashboard are left out. Install one ("sudo apt-get install chromium"), or name it in SM_CHROMIUM.',
  );
}

function hasTmux() {
  const { status, stdout } = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (status !== 0) return false;
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  return (
    Number(major) > TMUX_WANTED[0] || (Number(major) === TMUX_WANTED[0] && Number(minor) >= TMUX_WANTED[1])
  );
}

// For the tests of sessions on other machines, which start one of their own; without it they are skipped. Never where installing
// it could open this machine to others.
export function installSshServer() {
  if (['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].some((file) => fs.existsSync(file))) return;
  const install =
    process.platform === 'linux' && startsNoServices() ? installer('openssh-server') : undefined;
  if (install === undefined) {
    console.log(
      'The tests of sessions on other machines are skipped: there is no OpenSSH server here, and installing one could start it for the whole machine ("sudo apt-get install openssh-server" if you want that).',
    );
    return;
  }
  console.log(`Installing an OpenSSH server for the tests: ${install.at(-1).join(' ')} …`);
  for (const [command, ...args] of install) spawnSync(command, args, { stdio: 'inherit' });
}

// Debian's packages ask this program before they start a service, and 101 forbids it; images of containers have it say so.
// Without it every service is started, whichever init there is.
export function startsNoServices(policy = '/usr/sbin/policy-rc.d') {
  return spawnSync(policy, ['ssh', 'start'], { stdio: 'ignore' }).status === 101;
}

// Only where it needs no password: as root, with a password-less sudo, or with Homebrew.
function installer(name) {
  const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (process.platform === 'darwin')
    return works('brew', '--version') ? [['brew', 'install', name]] : undefined;
  if (!works('apt-get', '--version')) return undefined;
  const prefix = process.getuid() === 0 ? [] : works('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined;
  return (
    prefix && [
      [...prefix, 'apt-get', 'update', '-q'],
      [...prefix, 'apt-get', 'install', '-y', '-q', name],
    ]
  );
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
