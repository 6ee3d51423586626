// What this browser remembers of sessions, shared by its tabs: acknowledged and seen signals, who is muted, and
// letters that were not sent.
export const KINDS = ['ack', 'seen', 'mute', 'letter'] as const;
export type Kind = (typeof KINDS)[number];

// The part of localStorage that is used.
export interface Shelf {
  readonly length: number;
  key(at: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const keyOf = (kind: Kind, session: string): string => `sm:${kind}:${session}`;
const KEY = new RegExp(`^sm:(${KINDS.join('|')}):(.+)$`);

export class Memory {
  constructor(readonly shelf: Shelf) {}

  number(kind: 'ack' | 'seen', session: string): number {
    const value = Number(this.#get(keyOf(kind, session)));
    return Number.isSafeInteger(value) && value > 0 ? value : 0;
  }

  // Only ever upwards: an older tab cannot take back what a newer one knows.
  raise(kind: 'ack' | 'seen', session: string, seq: number): void {
    if (seq > this.number(kind, session)) this.#set(keyOf(kind, session), String(seq));
  }

  isMuted(session: string): boolean {
    return this.#get(keyOf('mute', session)) === '1';
  }

  setMuted(session: string, muted: boolean): void {
    if (muted) this.#set(keyOf('mute', session), '1');
    else this.#remove(keyOf('mute', session));
  }

  // Of which sessions something is remembered.
  sessions(): ReadonlySet<string> {
    try {
      const keys = Array.from({ length: this.shelf.length }, (_, at) => this.shelf.key(at));
      return new Set(keys.flatMap((key) => KEY.exec(key ?? '')?.[2] ?? []));
    } catch {
      return new Set();
    }
  }

  forget(session: string): void {
    for (const kind of KINDS) this.#remove(keyOf(kind, session));
  }

  // A browser may forbid it all, or have no room: then nothing is remembered, and nothing breaks.
  #get(key: string): string | null {
    try {
      return this.shelf.getItem(key);
    } catch {
      return null;
    }
  }

  #set(key: string, value: string): void {
    try {
      this.shelf.setItem(key, value);
    } catch {}
  }

  #remove(key: string): void {
    try {
      this.shelf.removeItem(key);
    } catch {}
  }
}

export const isOurs = (key: string | null): boolean => key === null || KEY.test(key);
