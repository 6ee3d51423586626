// Help, made from the descriptions of the commands.
import { DURATION_EXAMPLES } from '../api/duration.js';
import type { Argument, Command, Option } from './command.js';
import { EXIT_MEANINGS } from './errors.js';
import { paint, say } from './print.js';
import { ENTRIES, type Entry, GROUPS } from './registry.js';

export async function printOverview(): Promise<number> {
  const wide = Math.max(...ENTRIES.map(({ name }) => name.length));
  say('sm: a post office for coding agents in tmux panes');
  say(`\n${paint('bold', 'Usage:')} sm <command> [options]`);
  for (const group of GROUPS) {
    say(`\n${paint('bold', group)}`);
    for (const each of ENTRIES.filter((one) => one.group === group))
      say(`  ${each.name.padEnd(wide)}  ${each.summary}`);
  }
  say(`\n${paint('bold', 'Examples')}`);
  say('  sm new --name api -- claude          start an agent');
  say('  sm send api "run the tests"          send it a message');
  say('  sm queue                             see what waits, and why');
  say(`\n${paint('bold', 'Exit codes')}`);
  for (const [code, meaning] of EXIT_MEANINGS) say(`  ${String(code).padEnd(3)}  ${meaning}`);
  say(`\n${paint('bold', 'Environment')}`);
  say('  SM_HOME      folder of the daemon (otherwise $XDG_STATE_HOME/suremail or ~/.local/state/suremail)');
  say(
    '  SM_CONFIG    configuration file (otherwise config.yaml in ~/.config/suremail, or in the folder that SM_HOME names)',
  );
  say(
    '  SM_PORT      port on 127.0.0.1 that a daemon takes (otherwise 4747, or any free one if that is taken)',
  );
  say('  NO_COLOR     no colours; FORCE_COLOR=1: colours into a pipe too');
  say(`\nTimes are written as ${DURATION_EXAMPLES}.`);
  say('sm <command> --help explains a command; sm --version prints the version.');
  return 0;
}

export async function printHelp(entry: Entry, command: Command): Promise<number> {
  say(`sm ${entry.name}: ${entry.summary}`);
  say(`\n${paint('bold', 'Usage:')} ${usage(entry.name, command)}`);
  for (const paragraph of command.about ?? []) say(`\n${paragraph}`);
  section(
    'Arguments',
    command.args.map(({ name, help }) => [name, help]),
  );
  section('Options', [
    ...Object.entries(command.options).map(([name, option]): [string, string] => [
      optionUsage(name, option),
      option.help + initial(option),
    ]),
    ['-h, --help', 'show this help'],
  ]);
  say(`\n${paint('bold', 'Examples')}`);
  for (const { run, does } of command.examples) say(`  ${run}\n      ${paint('dim', does)}`);
  section(
    'Exit codes',
    (command.exits ?? []).map(([code, meaning]) => [String(code), meaning]),
  );
  return 0;
}

function section(title: string, rows: [string, string][]): void {
  if (rows.length === 0) return;
  const wide = Math.max(...rows.map(([left]) => left.length));
  say(`\n${paint('bold', title)}`);
  for (const [left, right] of rows) say(`  ${left.padEnd(wide)}  ${right}`);
}

export function usage(name: string, { args, options }: Command): string {
  return ['sm', name, ...(Object.keys(options).length ? ['[options]'] : []), ...args.map(argumentUsage)].join(
    ' ',
  );
}

function argumentUsage({ name, many, optional, unless, verbatim }: Argument): string {
  if (verbatim) return `-- <${name}>…`;
  const inner = `${name}${many ? '…' : ''}`;
  return optional || unless ? `[${inner}]` : `<${inner}>`;
}

export function optionUsage(name: string, option: Option): string {
  const short = option.short ? `-${option.short}, ` : '    ';
  if (option.kind === 'flag') return `${short}--${name}`;
  return option.kind === 'choice' && option.bare
    ? `${short}--${name}[=${option.value}]`
    : `${short}--${name} ${option.value}`;
}

const initial = (option: Option): string =>
  option.kind === 'number' && option.initial !== undefined
    ? ` (${option.initial} unless given)`
    : option.kind === 'duration' && option.initial !== undefined
      ? ` (${option.initial / 1000}s unless given)`
      : '';
