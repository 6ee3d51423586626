// Something that a dialog does: once at a time, and what went wrong is kept for the dialog to show, which covers all else.
import { useCallback, useEffect, useRef, useState } from 'react';
import { sentence } from '../api/request.js';

export interface Task {
  isBusy: boolean;
  problem: string | undefined;
  // What became of it: `left`: it is done, and whoever began it has closed the dialog meanwhile.
  run: (work: () => Promise<unknown>) => Promise<'done' | 'failed' | 'left'>;
}

type Doing = { at: 'rest' } | { at: 'busy' } | { at: 'failed'; problem: string };

export function useTask(): Task {
  const [doing, setDoing] = useState<Doing>({ at: 'rest' });
  // A second press may come before the first is drawn.
  const isBusy = useRef(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const run = useCallback<Task['run']>(async (work) => {
    if (isBusy.current) return 'failed';
    isBusy.current = true;
    setDoing({ at: 'busy' });
    try {
      await work();
      setDoing({ at: 'rest' });
      return isOpen.current ? 'done' : 'left';
    } catch (error) {
      setDoing({ at: 'failed', problem: sentence(error) });
      return 'failed';
    } finally {
      isBusy.current = false;
    }
  }, []);
  return { isBusy: doing.at === 'busy', problem: doing.at === 'failed' ? doing.problem : undefined, run };
}
