// Which actions of the configuration a signal calls for. Pure.
import { createHash } from 'node:crypto';
import { matches, type SignalAction, type SignalEffect } from '../mail/index.js';
import type { Signal } from './signal.js';
import { rulesOf, type States } from './states.js';

export interface Action extends SignalAction {
  // What it is known by on disk: when it applies and whom it tells, and nothing that is secret.
  print: string;
}

// Whoever signals.
export interface Signaller {
  id: string;
  name: string;
  groups: readonly string[];
}

// Each once, however often it is written down.
export function actionsOf({ signalActions }: { signalActions: readonly SignalAction[] }): Action[] {
  const found = signalActions.map((action): [string, Action] => {
    const print = printOf(action);
    return [print, { ...action, print }];
  });
  return [...new Map(found).values()];
}

export const callsFor = (
  { on, session }: SignalAction,
  { state }: Pick<Signal, 'state'>,
  who: Signaller,
  config: { signalStates: States },
): boolean => (on === null ? rulesOf(state, config).attention : on.includes(state)) && isMeant(session, who);

const isMeant = (word: string, { id, name, groups }: Signaller): boolean =>
  word.startsWith('@') ? groups.includes(word.slice(1)) : word === id || matches(word, name);

const printOf = ({ on, session, effect }: SignalAction): string =>
  createHash('sha256')
    .update(JSON.stringify([on && [...on].sort(), session, effect.kind, ...targetOf(effect)]))
    .digest('hex')
    .slice(0, 16);

function targetOf(effect: SignalEffect): readonly string[] {
  switch (effect.kind) {
    case 'desktop':
      return [];
    case 'webhook':
      return [effect.hook.url];
    case 'command':
      return effect.argv;
    case 'mail':
      return [effect.to];
  }
}
