// Holds what the page knows, and tells those who look at a part of it when that part changes.
import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from 'react';
import type { Message } from '../../../src/api/types.js';
import { EMPTY, type State, type StateEvent } from './model.js';
import { next } from './next.js';

export class Store {
  #state: State = EMPTY;
  readonly #listeners = new Set<() => void>();

  get state(): State {
    return this.#state;
  }

  dispatch = (...events: readonly StateEvent[]): void => {
    const state = events.reduce(next, this.#state);
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  };

  // Called when messages are asked for; what it returns takes the answer.
  asking(): (messages: readonly Message[]) => void {
    const asked = this.#state.messages;
    return (messages) => this.dispatch({ type: 'messages', messages, asked });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}

export const StoreContext = createContext<Store>(new Store());
export const useStore = (): Store => useContext(StoreContext);

// `isSame` decides whether what was picked has changed; by default, whether it is the same object.
export function usePick<T>(pick: (state: State) => T, isSame: (a: T, b: T) => boolean = Object.is): T {
  const store = useStore();
  const last = useRef<{ value: T } | undefined>(undefined);
  const snapshot = useCallback((): T => {
    const value = pick(store.state);
    if (last.current && isSame(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  }, [store, pick, isSame]);
  return useSyncExternalStore(store.subscribe, snapshot);
}

export const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
