// A script of ours as an agent's hook runs it: one that is gone, with its folder, must not be an answer of the hook.
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

// Read by the shell that the agent starts for it: a second one would cost every turn.
export function hookCommand(script: string, ...words: string[]): string {
  const run = `set -- ${words.map(shellWord).join(' ')}; . ${shellWord(script)}`;
  // Read all the same: whoever writes to it may not expect a closed pipe.
  return `if [ -r ${shellWord(script)} ]; then ${run}; else cat >/dev/null; fi`;
}
