// What differs between the agents whose door goes through an extension of ours.
import type { Carries, DoorContext, DoorLetter, Found } from '../door.js';
import type { Status } from '../status.js';

export interface ExtensionKind {
  name: string;
  // Where its extension writes; undefined when it was not given one.
  place(context: DoorContext): string | undefined;
  // Why there is no extension in this process.
  absent: string;
  carries(letter: Pick<DoorLetter, 'mode' | 'speaks'>, status: Status | undefined): Carries;
  // What the agent's own records say of a message that the extension has not seen taken.
  inRecords?(records: string, id: string): Promise<Found>;
  // An agent that is killed may have taken what it was given so shortly before, and neither of them shows it.
  unrecordedMs?: number;
}
