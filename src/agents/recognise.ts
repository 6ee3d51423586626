// Which agents are known, and which of them a command line starts.
import { claude } from './claude/profile.js';
import { codex } from './codex/profile.js';
import { copilot } from './copilot/profile.js';
import { gemini } from './gemini/profile.js';
import { opencode } from './opencode/profile.js';
import { pi } from './pi/profile.js';
import { GENERIC, type Profile, profile } from './profile.js';
import { qwen } from './qwen/profile.js';

export const PROFILES: readonly Profile[] = [
  claude,
  codex,
  gemini,
  opencode,
  qwen,
  pi,
  copilot,
  // Known by name alone: none of them could be measured.
  profile('amp', 'Amp', { packages: ['@sourcegraph/amp'] }),
  profile('aider', 'aider'),
  profile('goose', 'Goose'),
  profile('crush', 'Crush', { packages: ['@charmland/crush'] }),
];

// The profiles that a daemon knows. Those that the user added come first.
export class Profiles {
  readonly #all: readonly Profile[];

  constructor(added: readonly Profile[] = []) {
    this.#all = [...added, ...PROFILES];
  }

  get all(): readonly Profile[] {
    return this.#all;
  }

  isBuiltIn(profile: Profile): boolean {
    return PROFILES.includes(profile);
  }

  // Without the generic one.
  get names(): string[] {
    return [...new Set(this.#all.map(({ name }) => name))];
  }

  find(name: string): Profile | undefined {
    return [GENERIC, ...this.#all].find((candidate) => candidate.name === name);
  }

  // The profile of a command line: `claude`, `/usr/bin/claude --x`, `node …/@anthropic-ai/claude-code/cli.js`.
  recognise(argv: readonly string[]): Profile | undefined {
    const words = programWords(argv);
    return this.#all.find(
      ({ programs, packages }) =>
        words.some((word) => programs.includes(baseName(word))) ||
        words.some((word) => packages.some((name) => word.includes(`node_modules/${name}/`))),
    );
  }
}

const RUNTIMES = new Set(['node', 'bun', 'deno', 'python', 'python3', 'env']);

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
