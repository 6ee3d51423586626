// What is remembered, for components: they are drawn again when this tab or another one changes it.
import { createContext, useContext, useSyncExternalStore } from 'react';
import { isOurs, Memory, type Shelf } from './memory.js';

export class LiveMemory {
  readonly memory: Memory;
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(shelf: Shelf) {
    this.memory = new Memory(shelf);
  }

  // Another tab has written.
  follow(): void {
    window.addEventListener('storage', ({ key }) => {
      if (isOurs(key)) this.#changed();
    });
  }

  markSeen = (session: string, seq: number): void => {
    this.memory.raise('seen', session, seq);
    this.memory.raise('ack', session, seq);
    this.#changed();
  };

  setMuted = (session: string, muted: boolean): void => {
    this.memory.setMuted(session, muted);
    this.#changed();
  };

  get version(): number {
    return this.#version;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

export const MemoryContext = createContext<LiveMemory | undefined>(undefined);

export function useMemory(): LiveMemory {
  const live = useContext(MemoryContext);
  if (!live) throw new Error('MemoryContext is not provided');
  useSyncExternalStore(live.subscribe, () => live.version);
  return live;
}
