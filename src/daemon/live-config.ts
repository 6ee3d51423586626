// The configuration of a running daemon: one object whose values are replaced when the file changes. An edit that is refused
// changes nothing, and is told; the last good one also serves the next start.
import type { Profiles } from '../agents/index.js';
import type { Config } from '../mail/index.js';
import { type Disposable, Emitter } from '../tmux/index.js';
import { type LoadedConfig, loadConfig, understand } from './config.js';
import { CONFIG_KEYS, type ConfigKey, showValue } from './config-keys.js';
import { FileWatch } from './file-watch.js';
import { keepGood, readOrLastGood } from './last-good.js';

export interface LiveConfigDeps {
  file: string;
  // Where the last good one is kept.
  good: string;
  profiles: Profiles;
}

type Log = (message: string, details: Record<string, unknown>) => void;

export class LiveConfig implements Disposable {
  // Read by property at the moment of use.
  readonly config: Config;
  readonly #changed = new Emitter<readonly ConfigKey[]>();
  readonly onChange = this.#changed.event;
  #loaded: LoadedConfig;
  #problem: string | null;
  #watch: FileWatch | undefined;
  #log: Log = () => {};

  private constructor(
    readonly deps: LiveConfigDeps,
    loaded: LoadedConfig,
    problem: string | null,
  ) {
    this.#loaded = loaded;
    this.#problem = problem;
    this.config = { ...loaded.config };
  }

  // Throws a ConfigError where the file is refused and there has never been a good one.
  static open(deps: LiveConfigDeps): LiveConfig {
    const { file, good, profiles } = deps;
    const { value, problem } = readOrLastGood({
      good,
      read: () => loadConfig(file, profiles),
      understand: (source) => understand(file, source, profiles),
      text: textOf,
    });
    return new LiveConfig(deps, value, problem);
  }

  get loaded(): LoadedConfig {
    return this.#loaded;
  }

  // Why the file as it is now is not used.
  get problem(): string | null {
    return this.#problem;
  }

  watch(log: Log): void {
    this.#log = log;
    if (this.#problem !== null) this.#tell(this.#problem);
    this.#watch = new FileWatch(this.deps.file, {
      changed: () => this.look(),
      failed: (error) => log('configuration not watched', { error: error.message }),
    });
  }

  dispose(): void {
    this.#watch?.dispose();
  }

  // Takes the file as it is now.
  look(): void {
    try {
      const loaded = loadConfig(this.deps.file, this.deps.profiles);
      const isNews = this.#problem !== null || loaded.source !== this.#loaded.source;
      this.#problem = null;
      if (isNews) this.#take(loaded);
    } catch (error) {
      // Whatever is wrong with it: a file that cannot be taken changes nothing.
      const { message } = error as Error;
      if (this.#problem !== message) this.#tell(message);
      this.#problem = message;
    }
  }

  #take(loaded: LoadedConfig): void {
    const before = { ...this.config };
    this.#loaded = loaded;
    Object.assign(this.config, loaded.config);
    keepGood(this.deps.good, textOf(loaded));
    const changed = (Object.keys(CONFIG_KEYS) as ConfigKey[]).filter(
      (key) => JSON.stringify(showValue(key, before)) !== JSON.stringify(showValue(key, this.config)),
    );
    this.#log('configuration read', { file: loaded.file, changed });
    this.#changed.fire(changed);
  }

  #tell(problem: string): void {
    this.#log('configuration refused: the last good one holds', { problem });
  }
}

const textOf = ({ source }: LoadedConfig): string => source ?? '';
