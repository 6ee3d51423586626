// Words into the values that a command declares; whatever does not fit is an error that says what would.
import { parseArgs } from 'node:util';
import { DURATION_EXAMPLES, parseDuration } from '../api/duration.js';
import type { Argument, Command, Option, ParsedInput, Value } from './command.js';
import { UsageError } from './errors.js';
import { nearest } from './nearest.js';
import { fieldsOf, type Typed } from './typed.js';

type Tokens = NonNullable<ReturnType<typeof parseArgs<{ tokens: true; strict: false }>>['tokens']>;
type OptionToken = Extract<Tokens[number], { kind: 'option' }>;

export function parse(name: string, command: Command, words: string[]): ParsedInput | 'help' {
  const { tokens } = parseArgs({ args: words, options: shapes(command), strict: false, tokens: true });
  const seeHelp = `sm ${name} --help shows how it is used`;
  const options: Record<string, Value> = {};
  for (const [key, option] of Object.entries(command.options)) options[key] = initialValue(option);
  const given = new Set<string>();
  const typed: Typed[] = [];
  const positionals: string[] = [];
  let ended = false;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') {
      if (positionals.length && command.args.some(({ verbatim }) => verbatim))
        throw new UsageError(`unexpected "${positionals[0]}" before "--"`, seeHelp);
      ended = true;
    } else if (token.kind === 'positional') positionals.push(token.value);
    else {
      if (token.name === 'help') return 'help';
      const option = command.options[token.name];
      if (positionals.length && !ended) requireSeparator(name, command, token);
      if (!option) throw unknownOption(name, command, token);
      given.add(token.name);
      const value = optionValue(token, option);
      const written = option.kind === 'flag' ? '' : (token.value ?? String(value));
      typed.push({ name: `--${token.name}`, fields: fieldsOf(token.name, option), value: written });
      const before = options[token.name];
      options[token.name] = Array.isArray(before) ? [...before, value as string] : value;
    }
  }
  const expected = command.args.filter(({ unless }) => unless === undefined || !given.has(unless));
  const args = assign(expected, positionals, seeHelp);
  const sessions = expected
    .filter(({ completes }) => completes === 'sessions')
    .flatMap((each) => args[each.name] ?? []);
  for (const argument of expected)
    for (const value of [args[argument.name] ?? []].flat())
      typed.push({ name: argument.name, fields: fieldsOf(argument.name, argument), value: String(value) });
  return { args, options, sessions: sessions as string[], typed };
}

function shapes(command: Command): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  const shape: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  };
  for (const [key, option] of Object.entries(command.options)) {
    const type = option.kind === 'flag' || (option.kind === 'choice' && option.bare) ? 'boolean' : 'string';
    shape[key] = option.short ? { type, short: option.short } : { type };
  }
  return shape;
}

const initialValue = (option: Option): Value =>
  option.kind === 'flag'
    ? false
    : option.kind === 'list'
      ? []
      : 'initial' in option
        ? option.initial
        : undefined;

function optionValue(token: OptionToken, option: Option): Value {
  const { rawName, value } = token;
  if (option.kind === 'flag') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, but got "${value}"`);
    return true;
  }
  if (value === undefined) {
    if (option.kind === 'choice' && option.bare) return option.bare;
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}`);
  }
  // `--name --json` is a forgotten value more often than a name.
  if (!token.inlineValue && /^-./.test(value))
    throw new UsageError(
      `${rawName} needs a value, but "${value}" looks like an option`,
      `if it is the value, write ${rawName}=${value}`,
    );
  if (option.kind === 'number') return toNumber(rawName, value, option);
  if (option.kind === 'duration') return toMilliseconds(rawName, value);
  if (option.kind === 'choice' && !option.choices.includes(value) && !option.also?.test(value))
    throw badChoice(rawName, value, option.choices);
  return value;
}

function badChoice(what: string, value: string, choices: readonly string[]): UsageError {
  const close = nearest(value, choices);
  return new UsageError(
    `${what} "${value}": must be ${choices.join(' or ')}${close ? `; did you mean "${close}"?` : ''}`,
  );
}

function toNumber(
  rawName: string,
  value: string,
  { least = 1, most }: { least?: number; most: number },
): number {
  const number = /^\d+$/.test(value) ? Number(value) : -1;
  if (number < least || number > most)
    throw new UsageError(`${rawName} "${value}": must be a whole number from ${least} to ${most}`);
  return number;
}

function toMilliseconds(rawName: string, value: string): number {
  const milliseconds = parseDuration(value);
  if (milliseconds === undefined)
    throw new UsageError(`${rawName} "${value}": must be a time such as ${DURATION_EXAMPLES}`);
  return milliseconds;
}

function unknownOption(name: string, command: Command, token: OptionToken): UsageError {
  const known = [...Object.keys(command.options), 'help'].map((key) => `--${key}`);
  const close = token.rawName.startsWith('--') ? nearest(token.rawName, known) : undefined;
  const hint = command.args.some(({ free }) => free)
    ? `a text that starts with "-" goes after "--"; sm ${name} --help lists the options`
    : `sm ${name} --help lists the options`;
  return new UsageError(
    `sm ${name} has no option ${token.rawName}${close ? `; did you mean ${close}?` : ''}`,
    hint,
  );
}

function requireSeparator(name: string, command: Command, token: OptionToken): void {
  if (!command.args.some(({ verbatim }) => verbatim)) return;
  throw new UsageError(
    `whose option is ${token.rawName}? Options of sm ${name} go before the command, and "--" between them`,
    `sm ${name} [options] -- command ${token.rawName} …`,
  );
}

// The arguments that must be there take one word each, in order; what is left over goes to the optional or repeated one.
function assign(expected: readonly Argument[], words: string[], hint: string): Record<string, Value> {
  const args: Record<string, Value> = {};
  const required = expected.filter(({ optional }) => !optional).length;
  let spare = Math.max(0, words.length - required);
  let next = 0;
  for (const argument of expected) {
    const least = argument.optional ? 0 : 1;
    const count = least + (argument.many ? spare : argument.optional ? Math.min(1, spare) : 0);
    spare -= count - least;
    const taken = words.slice(next, next + count);
    next += count;
    if (taken.length < least) throw new UsageError(`${argument.name} is missing: ${argument.help}`, hint);
    for (const word of taken) {
      if (argument.choices && !argument.choices.includes(word))
        throw badChoice(argument.name, word, argument.choices);
    }
    args[argument.name] = argument.many ? taken : taken[0];
  }
  if (next < words.length) throw new UsageError(`unexpected argument "${words[next]}"`, hint);
  return args;
}
