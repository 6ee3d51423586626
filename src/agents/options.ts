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

const RUNTIMES = new Set(['node', 'bun', 'deno', 'python', 'python3', 'env']);
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh']);

// The words that name the program, an interpreter and its script, and the agent's own arguments behind them.
// Undefined for a line that a shell reads: nothing can be put into it.
export function splitCommand(command: readonly string[]): { head: string[]; args: string[] } | undefined {
  const name = (command[0] ?? '').replace(/^.*\//, '').replace(/[\d.]+$/, '');
  if (SHELLS.has(name)) return undefined;
  const isHead = (word: string): boolean => word.startsWith('-') || word.includes('=');
  const script = RUNTIMES.has(name) ? command.findIndex((word, i) => i > 0 && !isHead(word)) : 0;
  if (script < 0) return undefined;
  return { head: command.slice(0, script + 1), args: command.slice(script + 1) };
}
