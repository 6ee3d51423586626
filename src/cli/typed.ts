// What stood on the command line, found again behind a field that the daemon names: an error speaks of what was typed.
import type { Argument, Option } from './command.js';

export interface Typed {
  // As it is typed: `--timeout`; an argument by the name that the help gives it.
  name: string;
  // What it goes to the daemon as.
  fields: readonly string[];
  // Empty for a flag, which has none.
  value: string;
}

// As the description says, or by its own name: `--past-draft` is `past_draft`.
export const fieldsOf = (name: string, { field }: Pick<Option | Argument, 'field'>): readonly string[] =>
  field === undefined ? [name.replaceAll('-', '_')] : [field].flat();

// `groups.1` is the second --group; of several that can be meant, the one with that value.
export function typedBehind(
  field: string,
  value: unknown,
  typed: readonly Typed[],
): { name: string; value: string | undefined } | undefined {
  for (const { name, fields } of typed) {
    const own = fields.find((one) => field === one || field.startsWith(`${one}.`));
    if (own === undefined) continue;
    const alike = typed.filter((one) => one.name === name);
    const index = /^\d+$/.exec(field.slice(own.length + 1))?.[0];
    const meant = index === undefined ? alike.find((one) => one.value === value) : alike[Number(index)];
    return meant ?? (alike.length === 1 ? alike[0] : { name, value: undefined });
  }
  return undefined;
}
