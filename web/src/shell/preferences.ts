// What a person has set for this browser: colours, cards or rows, sound, notes on the desktop.
import { useSyncExternalStore } from 'react';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  view: 'cards' | 'rows';
  sound: boolean;
  notes: boolean;
}

const KEY = 'sm-preferences';
const FIRST: Preferences = { theme: 'system', view: 'cards', sound: true, notes: false };

let current = read();
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return FIRST;
  }
}

function changed(): void {
  document.documentElement.dataset.theme = current.theme;
  for (const listener of listeners) listener();
}

export const preferences = (): Preferences => current;

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // It holds for this visit.
  }
  changed();
}

// Another tab has changed them.
export function followPreferences(): void {
  changed();
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY) return;
    current = read();
    changed();
  });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);
