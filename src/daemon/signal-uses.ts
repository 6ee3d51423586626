// Puts together what is done because of signals, and who infers them.
import { type Home, homeVariables } from '../api/locate.js';
import type { Clerk, Config, DesktopNotes, PostOffice } from '../mail/index.js';
import type { Registry, Session } from '../sessions/index.js';
import {
  classifier,
  Effects,
  Inference,
  MailEffect,
  rulesOf,
  type SignalDesk,
  Uses,
} from '../signals/index.js';
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

export type MakeInferenceDeps = Pick<
  MakeUsesDeps,
  'store' | 'registry' | 'config' | 'home' | 'env' | 'clock' | 'log'
> & { desk: SignalDesk };

export const makeInference = ({ home, env, ...rest }: MakeInferenceDeps): Inference =>
  new Inference({ ...rest, classify: classifier({ env: commandEnvironment(home, env) }), screenOf });

// More than any terminal that a person reads shows.
const MOST_SCREEN = 20_000;

async function screenOf({ name, tracker }: Session): Promise<string> {
  if (!tracker) throw new Error(`the pane of ${name} is gone`);
  const text = await tracker.pane.capture({ join: true });
  return text
    .replace(/[ \t]+$/gm, '')
    .trimEnd()
    .slice(-MOST_SCREEN);
}

// Of commands that the user has configured: `sm` is found, and speaks for the person, whoever started the daemon.
function commandEnvironment(home: Home, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { SM_SESSION: _, TMUX: __, TMUX_PANE: ___, ...rest } = env;
  return { ...rest, ...homeVariables(home), PATH: `${home.bin}:${env.PATH ?? ''}` };
}
