import type { Agent } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { UsageError } from '../errors.js';
import { sayFields } from '../fields.js';
import { paint, say, sayJson } from '../print.js';
import { sayTable } from '../table.js';

export default defineCommand({
  about: [
    'A profile says how an agent is recognised and which ways in it has. Add one as $SM_HOME/agents/NAME.yaml.',
    'The door is the agent’s own way in: nothing is typed, and it shows what it took.',
  ],
  args: [
    { name: 'verb', optional: true, choices: ['show'], help: 'show' },
    { name: 'name', field: 'agent', optional: true, help: 'the name of an agent' },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm agents', does: 'all that are known' },
    { run: 'sm agents show claude', does: 'one of them, with all that its profile says' },
  ],
  async run({ args, options }) {
    if (args.verb === undefined) return list(options.json);
    const { name } = args;
    if (name === undefined) throw new UsageError('name is missing: sm agents show NAME');
    const shown = await ask((client) => client.agent(name));
    if (options.json) sayJson(shown);
    else show(shown.agent, shown.profile);
    return undefined;
  },
});

async function list(json: boolean): Promise<undefined> {
  const agents = await ask((client) => client.agents());
  if (json) sayJson({ agents });
  else
    sayTable(
      [
        { title: 'NAME' },
        { title: 'AGENT' },
        { title: 'DOOR' },
        { title: 'PAST A DRAFT', text: true },
        { title: 'FROM' },
      ],
      agents.map(({ name, title, door, protocols, from }) => [
        { text: name, style: 'bold' as const },
        title,
        door ?? '-',
        past(protocols),
        { text: from, style: from === 'file' ? ('green' as const) : ('dim' as const) },
      ]),
    );
  return undefined;
}

function show(agent: Agent, profile: Record<string, unknown>): void {
  say(`${paint('bold', agent.name)}: ${agent.title}`);
  sayFields([
    ['from', agent.from],
    ['programs', agent.programs.join(', ') || undefined],
    ['packages', agent.packages.join(', ') || undefined],
    ['door', agent.door ?? 'none: mail goes through its input box'],
    ['past a draft', past(agent.protocols)],
    ['interrupt', agent.interrupt_keys?.join(' ')],
    ['hooks', agent.hooks ? `sm hooks install ${agent.name}` : undefined],
  ]);
  say();
  for (const line of JSON.stringify(profile, null, 2).split('\n')) say(`  ${line}`);
}

const past = (protocols: Agent['protocols']): string =>
  protocols
    .filter(({ protocol }) => protocol !== 'direct')
    .map(({ protocol, since }) => (since ? `${protocol} (from ${since})` : protocol))
    .join(', ') || '-';
