import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { locateHome } from '../../api/locate.js';
import type { Uninstalled } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask, connect } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { note, oneLine, plural, say, sayJson } from '../print.js';
import { removeHome } from '../remove-home.js';
import { unitFile } from '../service-unit.js';
import { settingsPlaces } from '../settings-places.js';
import { removeUnit } from '../systemd.js';
import { untilGone } from '../until-gone.js';

export default defineCommand({
  about: [
    "Takes our hooks out of agents' settings, our variables, buffers, key tables and options out of tmux, stops the daemon, removes the service, and deletes what is in the home folder: history, waiting messages, saved drafts. It says what there is, and asks first.",
    'Panes and the programs in them run on. An agent that sm started has our editor, which is then gone: start it anew. config.yaml and agents/ are yours and stay, unless --config is given.',
  ],
  args: [],
  options: {
    yes: { kind: 'flag', short: 'y', help: 'do not ask' },
    config: { kind: 'flag', help: 'also config.yaml, and the profiles in agents/' },
    'dry-run': { kind: 'flag', help: 'only say what there is' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm uninstall --dry-run', does: 'what would be removed' },
    { run: 'sm uninstall', does: 'remove it, after a question' },
  ],
  exits: [
    [EXIT.refused, 'nobody said yes, or the settings of an agent are not understood: nothing was removed'],
  ],
  async run({ options }) {
    const home = locateHome();
    const unit = unitFile(process.env);
    const env = settingsPlaces(process.env);
    const found = await ask((client) => client.uninstall(env, { dry_run: true }));
    const config = options.config ? 'remove' : 'keep';
    const plan = {
      ...found,
      home: home.folder,
      config: home.config,
      service: existsSync(unit) ? unit : null,
    };
    if (options['dry-run']) {
      if (options.json) sayJson(plan);
      else tellPlan(plan, config, say);
      return undefined;
    }
    if (!options.yes) {
      tellPlan(plan, config, note);
      await requireYes();
    }
    const { pid, ...done } = await connect(home).uninstall(env);
    await untilGone(pid);
    const service = (await removeUnit(unit)) ? unit : null;
    const { removed, left } = removeHome(home, { config });
    if (options.json) sayJson({ ...done, service, removed, left });
    else tellDone(left, config === 'keep' && existsSync(home.config) ? home.config : undefined);
    return undefined;
  },
});

interface Plan extends Uninstalled {
  home: string;
  config: string;
  service: string | null;
}

function tellPlan(plan: Plan, config: 'keep' | 'remove', tell: (line: string) => void): void {
  const { hooks, tmux, sessions, waiting, drafts } = plan;
  tell('This removes:');
  for (const file of hooks) tell(`  our hooks in ${file}`);
  for (const { socket, traces } of tmux)
    if (traces.length > 0)
      tell(`  ${plural(traces.length, 'trace')} of ours in tmux (${socket}): ${oneLine(traces.join(', '))}`);
  if (plan.service) tell(`  the service ${plan.service}`);
  tell(
    `  what the daemon keeps in ${plan.home}: the history, ${plural(waiting, 'waiting message')}, saved drafts`,
  );
  if (config === 'remove') tell(`  your configuration: ${plan.config} and ${plan.home}/agents`);
  if (drafts > 0)
    tell(
      `${plural(drafts, 'draft is', 'drafts are')} not known to be back in the input box: sm drafts lists them`,
    );
  if (sessions.length > 0) tell(`These run on, without mail: ${oneLine(sessions.join(', '))}`);
}

async function requireYes(): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CliError('nothing was removed: nobody is here to be asked', EXIT.refused, '--yes goes ahead');
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asked.question('Remove all this? [y/N] ');
  asked.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('nothing was removed', EXIT.refused);
}

function tellDone(left: readonly string[], config: string | undefined): void {
  say('Suremail is gone from agents, tmux and disk');
  const kept = [...left, ...(config !== undefined && !left.includes(config) ? [config] : [])];
  if (kept.length > 0) say(`kept: ${oneLine(kept.join(', '))}`);
  say('what is left is the package: npm uninstall -g suremail, or remove its folder');
}
