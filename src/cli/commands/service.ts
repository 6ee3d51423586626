import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeVariables, locateHome } from '../../api/locate.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { connect, isAbsent } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { say, sayJson } from '../print.js';
import { UNIT, unitFile, unitText, unitVariables } from '../service-unit.js';
import { untilAnswers } from '../start-daemon.js';
import { missingSystemd, order, removeUnit, systemctl } from '../systemd.js';
import { untilGone } from '../until-gone.js';

const VERBS = ['install', 'uninstall', 'status'] as const;
type Verb = (typeof VERBS)[number];
const DAEMON = fileURLToPath(new URL('../../daemon/main.js', import.meta.url));

export default defineCommand({
  about: [
    'With systemd the daemon starts when you log in, and again after a crash. install writes a unit of yours, enables it and starts it; a daemon that runs by hand is stopped first. Panes and messages stay.',
    'The unit has the PATH, SM_PORT, TMUX_TMPDIR and home of this shell: install it again when they change. To start it with the machine, before you log in: loginctl enable-linger.',
  ],
  args: [{ name: 'verb', choices: VERBS, help: 'install, uninstall or status' }],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm service install', does: 'from now on it is always there' },
    { run: 'sm service status', does: 'whether it is installed, enabled and running' },
    { run: 'sm service uninstall', does: 'stop it and remove the unit' },
  ],
  exits: [
    [EXIT.failed, 'status: it is not installed, or does not run'],
    [EXIT.refused, 'there is no systemd that could run it'],
  ],
  async run({ args, options }) {
    const file = unitFile(process.env);
    const acts: Record<Verb, () => Promise<Told>> = {
      install: () => install(file),
      uninstall: () => uninstall(file),
      status: () => status(file),
    };
    const { words, exit = EXIT.ok, ...fields } = await acts[args.verb as Verb]();
    if (options.json) sayJson({ file, ...fields });
    else say(words);
    return exit;
  },
});

interface Told extends Record<string, unknown> {
  words: string;
  exit?: number;
}

async function install(file: string): Promise<Told> {
  const missing = await missingSystemd();
  if (missing !== undefined)
    throw new CliError(
      `no service was installed: systemd's manager of your user does not answer (${missing})`,
      EXIT.refused,
      'the daemon needs none: every sm command starts it',
    );
  const home = locateHome();
  const env = unitVariables(process.env, homeVariables(home));
  const text = unitText({ node: process.execPath, daemon: DAEMON, env });
  const running = await connect(home)
    .stop()
    .catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
  if (running) await untilGone(running.pid);
  mkdirSync(path.dirname(file), { recursive: true });
  const changed = !existsSync(file) || readFileSync(file, 'utf8') !== text;
  // Units are read by systemd alone and hold no secrets; 0644 is what it expects.
  if (changed) writeFileSync(file, text, { mode: 0o644 });
  await order('daemon-reload');
  await order('enable', UNIT);
  await order('restart', UNIT);
  const { pid } = await untilAnswers(home).catch(() => {
    throw new CliError(
      `the service is installed (${file}), but the daemon does not answer`,
      EXIT.noDaemon,
      `journalctl --user -u ${UNIT} and sm logs may say why`,
    );
  });
  return { changed, pid, words: `the service runs (pid ${pid}) and starts when you log in: ${file}` };
}

async function uninstall(file: string): Promise<Told> {
  const removed = await removeUnit(file);
  return { removed, words: removed ? `the service is gone: ${file}` : 'no service is installed' };
}

async function status(file: string): Promise<Told> {
  if (!existsSync(file))
    return { installed: false, words: 'no service is installed; sm service install', exit: EXIT.failed };
  const missing = await missingSystemd();
  if (missing !== undefined)
    return {
      installed: true,
      words: `the unit is there (${file}), but systemd's manager of your user does not answer: ${missing}`,
      exit: EXIT.failed,
    };
  const [enabled, active] = [await systemctl('is-enabled', UNIT), await systemctl('is-active', UNIT)];
  return {
    installed: true,
    enabled: enabled.text,
    active: active.text,
    words: `${file}: ${enabled.text}, ${active.text}`,
    exit: active.ok ? EXIT.ok : EXIT.failed,
  };
}
