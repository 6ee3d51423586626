// A script of ours as an agent's hook runs it: one that is gone, with its folder, must not be an answer of the hook.
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function hookCommand(script: string, ...words: string[]): string {
  const call = ['exec', 'sh', ...[script, ...words].map(shellWord)].join(' ');
  // Read all the same: whoever writes to it may not expect a closed pipe.
  return `if [ -f ${shellWord(script)} ]; then ${call}; else cat >/dev/null; fi`;
}
