// Signals as the API shows them.
import type { Signal as ApiSignal } from '../api/types.js';
import type { Config } from '../mail/index.js';
import type { Registry } from '../sessions/index.js';
import { rulesOf, type Signal } from '../signals/index.js';

export const presentSignal = (signal: Signal, registry: Registry, config: Config): ApiSignal => ({
  ...signal,
  session: { id: signal.session, name: registry.get(signal.session)?.name ?? null },
  at: new Date(signal.at).toISOString(),
  ...rulesOf(signal.state, config),
});
