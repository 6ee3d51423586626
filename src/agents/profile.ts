// What differs between agents, as data. A program without a profile of its own gets `generic`.

export interface Profile {
  name: string;
  title: string;
  // How its process is recognised: by the name of the program, or by the package its script lives in.
  programs: readonly string[];
  packages: readonly string[];
  // How long it turns an Enter into a newline after a paste.
  enterGapMs: number;
}

export const GENERIC: Profile = {
  name: 'generic',
  title: 'a program without a profile',
  programs: [],
  packages: [],
  enterGapMs: 0,
};

const profile = (name: string, title: string, more: Partial<Profile> = {}): Profile => ({
  ...GENERIC,
  name,
  title,
  programs: [name],
  ...more,
});

// Measured gaps: Gemini takes an Enter within 50 ms of a paste as a newline, Qwen one within 100 ms of a long one.
export const PROFILES: readonly Profile[] = [
  profile('claude', 'Claude Code', { packages: ['@anthropic-ai/claude-code'] }),
  profile('codex', 'Codex', { packages: ['@openai/codex'] }),
  profile('gemini', 'Gemini CLI', { packages: ['@google/gemini-cli'], enterGapMs: 80 }),
  profile('opencode', 'OpenCode', { packages: ['opencode-ai'], enterGapMs: 100 }),
  profile('qwen', 'Qwen Code', { packages: ['@qwen-code/qwen-code'], enterGapMs: 100 }),
  profile('pi', 'pi', { packages: ['@mariozechner/pi-coding-agent'] }),
  profile('copilot', 'GitHub Copilot CLI', { packages: ['@github/copilot'], enterGapMs: 200 }),
  profile('amp', 'Amp', { packages: ['@sourcegraph/amp'] }),
  profile('aider', 'aider'),
  profile('goose', 'Goose'),
  profile('crush', 'Crush', { packages: ['@charmland/crush'] }),
];

export const findProfile = (name: string): Profile | undefined =>
  [GENERIC, ...PROFILES].find((candidate) => candidate.name === name);

const RUNTIMES = new Set(['node', 'bun', 'deno', 'python', 'python3', 'env']);

// The profile of a command line: `claude`, `/usr/bin/claude --x`, `node …/@anthropic-ai/claude-code/cli.js`.
export function recognise(argv: readonly string[]): Profile | undefined {
  const words = programWords(argv);
  return PROFILES.find(
    ({ programs, packages }) =>
      words.some((word) => programs.includes(baseName(word))) ||
      words.some((word) => packages.some((name) => word.includes(`node_modules/${name}/`))),
  );
}

// The program itself and, behind an interpreter, its script: the rest are arguments and prove nothing.
function programWords([program = '', ...rest]: readonly string[]): string[] {
  const name = baseName(program).replace(/[\d.]+$/, '');
  if (name === 'sh' || name === 'bash') {
    const line = rest[rest.indexOf('-c') + 1];
    const words =
      rest.includes('-c') && line
        ? line
            .trim()
            .replace(/^exec\s+/, '')
            .split(/\s+/)
        : rest;
    return [program, ...words.slice(0, 1)];
  }
  if (!RUNTIMES.has(name)) return [program];
  const script = rest.find((word) => !word.startsWith('-') && !word.includes('='));
  return script === undefined ? [program] : [program, script];
}

// A process may write anything as its name: a login shell starts with a dash, a title may have spaces.
export const baseName = (program: string): string =>
  (program.split(' ')[0] ?? '')
    .replace(/^-/, '')
    .replace(/^.*\//, '')
    .replace(/\.(?:[cm]?js|exe)$/, '');
