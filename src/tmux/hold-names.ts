// What a hold leaves in tmux: its names, and the one command that undoes it, for whoever comes to undo it.
import { equals, quote } from './quote.js';

// Hidden variables of the server's environment, one set for each pane: formats read them, nothing is redrawn when they
// change, and no program inherits them.
const VARIABLES = {
  // The hold's token; not there, no hold.
  token: 'T',
  // When it began, in milliseconds since the epoch, and how many milliseconds from then on it may last.
  since: 'S',
  limit: 'U',
  // Keys that have begun to wait, keys that have gone on, and how many of them were openers of ours.
  entered: 'I',
  left: 'O',
  openers: 'P',
  // What waits: `k` a key, `t` a letter, `e` Enter, `x` Escape, `o` an opener.
  kind: 'K',
  // The command that ends the hold, if no key waits.
  finish: 'F',
} as const;

export type HoldVariable = keyof typeof VARIABLES;

export class HoldNames {
  readonly #number: string;

  constructor(readonly pane: string) {
    this.#number = pane.replace(/^%/, '');
  }

  // The beginning that all names of this pane share.
  get prefix(): string {
    return `SMHOLD_${this.#number}_`;
  }

  variable(name: HoldVariable): string {
    return `${this.prefix}${VARIABLES[name]}`;
  }

  // The variable's value, inside a format.
  value(name: HoldVariable): string {
    return `#{${this.variable(name)}}`;
  }

  set(name: HoldVariable, value: string | number): string {
    return `set-environment -g -h ${this.variable(name)} ${quote(String(value))}`;
  }

  add(name: HoldVariable): string {
    return `set-environment -g -h -F ${this.variable(name)} ${quote(`#{e|+:${this.value(name)},1}`)}`;
  }

  unsetAll(): string[] {
    return Object.values(VARIABLES).map((letter) => `set-environment -g -u ${this.prefix}${letter}`);
  }

  // A format: this hold is still there.
  isHeld(token: string): string {
    return equals(this.variable('token'), token);
  }

  // A format: a key waits.
  get waits(): string {
    return `#{!=:${this.value('entered')},${this.value('left')}}`;
  }
}

// Signalling a signalled channel takes the signal back, so no two holds share one.
export const channel = (token: string): string => `smhold-${token}`;

// Key tables of ours start so; `index` tells apart those that stand for different tables of the user's.
export const TABLE_PREFIX = 'smhold-';
export const table = (token: string, index: number): string => `${TABLE_PREFIX}${token}-${index}`;

export const FREED = 'sm:freed';
export const KEPT = 'sm:kept';

// A group of its own: a session that is gone fails alone.
export const alone = (...commands: string[]): string => `if-shell -F 1 { ${commands.join(' ; ')} }`;

// Ends the hold in one breath if it is still this one and no key waits: options as they were, table and variables gone.
// The two signals take the channel away: the first marks it as signalled, the second takes that back.
export function finishCommand(
  names: HoldNames,
  token: string,
  restore: readonly string[],
  tables: readonly string[],
): string {
  const idle = `#{&&:${names.isHeld(token)},#{==:${names.value('entered')},${names.value('left')}}}`;
  const forget = `if-shell -F ${quote(`#{!=:${names.value('entered')},0}`)} { wait-for -S ${channel(token)} ; wait-for -S ${channel(token)} }`;
  const commands = [
    ...restore,
    ...tables.map((name) => alone(`unbind-key -a -q -T ${name}`)),
    forget,
    ...names.unsetAll(),
    `display-message -p ${FREED}`,
  ];
  return `if-shell -F ${quote(idle)} { ${commands.join(' ; ')} } { display-message -p ${KEPT} }`;
}
