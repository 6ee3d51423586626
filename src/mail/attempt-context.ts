// What one attempt of the direct way is given, and how it can end.
import type { ComposerMemory, DirectInput } from '../composer/index.js';
import type { PaneView } from '../tmux/index.js';
import type { Typed } from './envelope.js';
import type { Fault } from './faults.js';
import type { HeldReason } from './lifecycle.js';

export interface AttemptContext {
  input: DirectInput;
  envelope: Typed;
  // The box as it looks when empty.
  composer: ComposerMemory;
  lease: string;
  message: string;
  attempt: number;
  enterGapMs: number;
  submitKey: string;
  ownClients: () => ReadonlySet<number>;
  // The program that the text was typed into still has the pane.
  isSameProgram: () => Promise<boolean>;
  // Its agent is known to wait for a person: Enter would be an answer.
  isWaiting: () => boolean;
  fault: Fault;
  signal: AbortSignal;
  clock: () => number;
  // Called once the text was seen in the box, and awaited before Enter is pressed.
  typed(evidence: string): Promise<void>;
  // Called when it takes longer than it should, with what is waited for.
  held(reason: HeldReason, detail: string): Promise<void>;
}

export type AttemptOutcome =
  // `cursorTells`: with our text in it the box did not look empty.
  | {
      kind: 'submitted';
      evidence: string;
      enterGapMs: number;
      view: PaneView;
      cursorTells?: boolean | undefined;
    }
  // Provably nothing of it is in the agent: it may be tried again.
  | { kind: 'refused'; reason: string }
  // It may be in the agent or not, and nothing is going to tell.
  | { kind: 'uncertain'; reason: string }
  // The pane can no longer be watched; `entered` tells whether Enter had been pressed.
  | { kind: 'lost'; entered: boolean; reason: string };

// How long each step may take before its waiting is shown; a healthy agent answers within a tenth of it.
export const SHOWN_MS = 3000;
// The longest time between two looks while a step is overdue and nothing is printed.
export const LOOK_AGAIN_MS = 5000;

export const lost = (reason: string, entered: boolean): AttemptOutcome => ({ kind: 'lost', entered, reason });
