// Tells a person of their mail beside the inbox: a note on the desktop, and the webhooks of the configuration.
import { type Config, DesktopNotes, type People, Webhooks } from '../mail/index.js';
import type { Disposable } from '../tmux/index.js';
import { presentInboxItem } from './present.js';

export interface TellPersonDeps {
  people: People;
  config: Config;
  env: NodeJS.ProcessEnv;
  log: (message: string, details: Record<string, unknown>) => void;
}

export function tellPerson({ people, config, env, log }: TellPersonDeps): Disposable {
  const notes = new DesktopNotes({ env, isOn: () => config.desktopNotes, log });
  const webhooks = new Webhooks({ hooks: () => config.webhooks, present: presentInboxItem, log });
  const listening = people.onEvent(({ what, row }) => {
    if (what !== 'arrived') return;
    void notes.show(row);
    void webhooks.tell(row);
  });
  return {
    dispose: () => {
      listening.dispose();
      webhooks.dispose();
    },
  };
}
