import type { Hooks } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { settingsPlaces } from '../settings-places.js';

const VERBS = ['install', 'uninstall', 'status'] as const;

export default defineCommand({
  about: [
    'A Claude Code that sm starts has its hooks from the start. This is for one that was started by hand, and for every Gemini:',
    'our hooks are put into the agent’s own settings beside yours, which stay as they are, and taken out without a trace.',
  ],
  args: [
    { name: 'verb', choices: VERBS, help: 'install, uninstall or status' },
    { name: 'agent', help: 'the name of an agent, such as claude' },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm hooks install claude', does: 'sessions that run now pick them up within seconds' },
    { run: 'sm hooks uninstall claude', does: 'the file is as it was' },
  ],
  async run({ args, options }) {
    const verb = args.verb as (typeof VERBS)[number];
    const report = await ask((client) => client.hooks(args.agent, verb, settingsPlaces(process.env)));
    if (options.json) sayJson(report);
    else say(told(verb, report));
    return undefined;
  },
});

function told(verb: (typeof VERBS)[number], { file, state, changed }: Hooks): string {
  if (verb === 'install') return changed ? `hooks put into ${file}` : `hooks are in ${file} already`;
  if (verb === 'uninstall') return changed ? `hooks taken out of ${file}` : `no hooks of ours in ${file}`;
  if (state === 'absent') return `no hooks of ours in ${file}`;
  return state === 'installed'
    ? `hooks are in ${file}`
    : `hooks of another version are in ${file}; install them again`;
}
