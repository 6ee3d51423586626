// Puts together what is done because of signals.
import { type Home, homeVariables } from '../api/locate.js';
import type { Clerk, Config, DesktopNotes, PostOffice } from '../mail/index.js';
import type { Registry } from '../sessions/index.js';
import { Effects, MailEffect, rulesOf, Uses } from '../signals/index.js';
import type { Store } from '../store/index.js';
import { presentSignal } from './present-signal.js';
import { recipientsOf } from './sending.js';

export interface MakeUsesDeps {
  store: Store;
  registry: Registry;
  office: PostOffice;
  clerk: Clerk;
  notes: DesktopNotes;
  config: Config;
  home: Home;
  env: NodeJS.ProcessEnv;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export function makeUses({
  store,
  registry,
  office,
  clerk,
  notes,
  config,
  home,
  env,
  ...rest
}: MakeUsesDeps): Uses {
  const mail = new MailEffect({
    speaker: clerk.speaker,
    registry,
    recipients: (to, sender) => recipientsOf(office, [to], sender, { command: false }),
    clock: rest.clock,
  });
  const effects = new Effects({
    notes,
    mail,
    present: (signal) => presentSignal(signal, registry, config),
    nameOf: (session) => registry.get(session)?.name ?? session,
    urgencyOf: (state) => rulesOf(state, config).urgency,
    env: commandEnvironment(home, env),
  });
  return new Uses({ store, config, effects, ...rest });
}

// Of commands that the user has configured: `sm` is found, and speaks for the person, whoever started the daemon.
function commandEnvironment(home: Home, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { SM_SESSION: _, TMUX: __, TMUX_PANE: ___, ...rest } = env;
  return { ...rest, ...homeVariables(home), PATH: `${home.bin}:${env.PATH ?? ''}` };
}
