// Whether somebody can see this tab.
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

export const useTabInSight = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
