// Options on an agent's command line, as the user wrote them.

// The value of the last `--name value` or `--name=value`, and the words without any of them.
export function withoutOption(
  args: readonly string[],
  name: string,
): { value: string | undefined; rest: string[] } {
  let value: string | undefined;
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    // What stands behind a double dash is no option.
    if (arg === '--') return { value, rest: [...rest, ...args.slice(i)] };
    if (arg.startsWith(`${name}=`)) value = arg.slice(name.length + 1);
    else if (arg === name && args[i + 1] !== undefined) value = args[++i];
    else rest.push(arg);
  }
  return { value, rest };
}
