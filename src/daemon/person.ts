// Tells a person of their mail beside the inbox: a note on the desktop, and the webhooks of the configuration.
import { type Config, type DesktopNotes, type People, Webhooks } from '../mail/index.js';
import type { Disposable } from '../tmux/index.js';
import { presentInboxItem } from './present.js';

export interface TellPersonDeps {
  people: People;
  config: Config;
  notes: DesktopNotes;
  log: (message: string, details: Record<string, unknown>) => void;
}

export function tellPerson({ people, config, notes, log }: TellPersonDeps): Disposable {
  const webhooks = new Webhooks({ hooks: () => config.webhooks, present: presentInboxItem, log });
  const listening = people.onEvent(({ what, row }) => {
    if (what !== 'arrived') return;
    if (config.desktopNotes)
      void notes.show({ item: row.id, lead: `from ${row.sender_name}`, text: row.text });
    void webhooks.tell(row);
  });
  return {
    dispose: () => {
      listening.dispose();
      webhooks.dispose();
    },
  };
}
