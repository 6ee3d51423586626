// How a command is described. Parsing, errors, help and completion are all made from this description.
// No commander: loading it alone costs a quarter of the start-up budget of `sm send`.
import type { Typed } from './typed.js';

// What a word can be completed with.
export type Completes =
  | 'sessions'
  | 'messages'
  | 'drafts'
  | 'reminders'
  | 'panes'
  | 'hosts'
  | 'files'
  | 'folders'
  | 'commands';

interface Described {
  help: string;
  short?: string;
  // What it goes to the daemon as, where that is not its own name with underscores: an error about that is about this.
  field?: string | readonly string[];
}

export type Option = Described &
  (
    | { kind: 'flag' }
    | { kind: 'text'; value: string; completes?: Completes }
    | { kind: 'list'; value: string; completes?: Completes }
    // From `least` on, or from 1.
    | { kind: 'number'; value: string; initial?: number; least?: number; most: number }
    // In milliseconds; written as 500ms, 30s, 2m or 1h30m.
    | { kind: 'duration'; value: string; initial?: number }
    // With `bare`, the value may be left out (`--wait`) and otherwise needs "=" (`--wait=received`).
    // With `also`, what matches it may be given beside the choices.
    | { kind: 'choice'; value: string; choices: readonly string[]; bare?: string; also?: RegExp }
  );

export interface Argument {
  name: string;
  help: string;
  optional?: boolean;
  many?: boolean;
  // Not expected when this option is given.
  unless?: string;
  // A command line for another program: options after its first word would be taken from it, so it wants "--".
  verbatim?: boolean;
  // Words of whoever runs it, which may begin with "-".
  free?: boolean;
  choices?: readonly string[];
  completes?: Completes;
  // As of an option.
  field?: string | readonly string[];
}

export interface Example {
  run: string;
  does: string;
}

type OptionValue<O extends Option> = O extends { kind: 'flag' }
  ? boolean
  : O extends { kind: 'list' }
    ? string[]
    : O extends { kind: 'number' | 'duration'; initial: number }
      ? number
      : O extends { kind: 'number' | 'duration' }
        ? number | undefined
        : O extends { kind: 'choice'; also: RegExp }
          ? string | undefined
          : O extends { kind: 'choice'; choices: readonly (infer Choice)[] }
            ? Choice | undefined
            : string | undefined;

type ArgumentValue<A extends Argument> = A extends { many: true }
  ? string[]
  : A extends { optional: true } | { unless: string }
    ? string | undefined
    : string;

export type Options = Record<string, Option>;

export interface Input<A extends readonly Argument[], O extends Options> {
  args: { [Each in A[number] as Each['name']]: ArgumentValue<Each> };
  options: { [Name in keyof O]: OptionValue<O[Name]> };
}

interface Description<A extends readonly Argument[], O extends Options> {
  // Paragraphs below the summary.
  about?: string[];
  args: A;
  options: O;
  examples: readonly [Example, ...Example[]];
  // Exit codes that mean something particular here.
  exits?: readonly (readonly [number, string])[];
}

export type Value = string | string[] | number | boolean | undefined;

export interface ParsedInput {
  args: Record<string, Value>;
  options: Record<string, Value>;
  // The words that name sessions, to suggest the nearest when one does not exist.
  sessions: string[];
  // All that was given, for errors about it.
  typed: Typed[];
}

export interface Command extends Description<readonly Argument[], Options> {
  run(input: ParsedInput): Promise<number | undefined>;
  // Takes the words unparsed.
  raw?(words: string[]): Promise<number>;
}

export function defineCommand<const A extends readonly Argument[], const O extends Options>(
  description: Description<A, O> & {
    run(input: Input<A, O>): Promise<number | undefined>;
    raw?(words: string[]): Promise<number>;
  },
): Command {
  return description as unknown as Command;
}

export const JSON_OPTION = { kind: 'flag', help: 'print JSON' } as const;
