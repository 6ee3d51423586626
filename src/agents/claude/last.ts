// What is still to be learnt of a Claude Code that is gone: from its transcript, and from hooks that nobody had read.
import type { DoorEvent, DoorMaker, Found, HookEvent } from '../door.js';
import { idsIn } from '../mark.js';
import { findRungLast } from './bell-find.js';
import { Bells } from './bells.js';
import { text } from './heard.js';
import { Inbox } from './inbox.js';
import { findNow } from './transcript-file.js';
import { findGone } from './whereabouts.js';

type Facts = Parameters<NonNullable<DoorMaker['findLast']>>[0];

export async function findLast({ transcript, folder }: Facts, id: string): Promise<Found> {
  const inbox = folder === undefined ? undefined : new Inbox(folder);
  // The waiter of the next process would hand it over, and so would we.
  if (inbox?.takeBack(id)) return { at: 'nowhere', evidence: 'the wake hook never took it' };
  if (transcript === undefined) return { at: 'unknown', reason: 'its transcript is not known' };
  const bells = folder === undefined ? undefined : new Bells(folder);
  const since = bells?.since(id);
  if (bells && since !== undefined) return findRungLast(bells, transcript, id, since);
  return findGone(inbox, transcript, id);
}

// Undefined: said by another conversation, and nobody knows what that means for this one.
export function hearLast(facts: Facts, { event, body }: HookEvent): DoorEvent[] | undefined {
  if (facts.conversation === undefined || text(body.session_id) !== facts.conversation) return undefined;
  const transcript = text(body.transcript_path) ?? facts.transcript;
  switch (event) {
    case 'UserPromptSubmit':
      if (transcript === undefined) return [];
      return findNow(transcript, idsIn(text(body.prompt) ?? '')).map((taken) => ({
        kind: 'received',
        ...taken,
      }));
    case 'Stop':
      return [
        {
          kind: 'turn_ended',
          turn: text(body.prompt_id) ?? null,
          how: 'completed',
          answer: text(body.last_assistant_message) ?? null,
          evidence: 'Stop hook',
        },
      ];
    default:
      return [];
  }
}
