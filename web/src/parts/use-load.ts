// Something that is asked for when a view opens, and again when what it depends on changes; the last answer stays meanwhile.
import { type DependencyList, useCallback, useEffect, useRef, useState } from 'react';
import { sentence } from '../api/request.js';

export interface Load<T> {
  data: T | undefined;
  problem: string | undefined;
  isLoading: boolean;
  reload: () => void;
}

export function useLoad<T>(load: () => Promise<T>, dependencies: DependencyList): Load<T> {
  const [state, setState] = useState<Omit<Load<T>, 'reload'>>({
    data: undefined,
    problem: undefined,
    isLoading: true,
  });
  const turn = useRef(0);
  const reload = useCallback((): void => {
    const mine = ++turn.current;
    setState((before) => ({ ...before, isLoading: true }));
    load().then(
      (data) => {
        if (mine === turn.current) setState({ data, problem: undefined, isLoading: false });
      },
      (error) => {
        if (mine === turn.current)
          setState((before) => ({ ...before, problem: sentence(error), isLoading: false }));
      },
    );
    // biome-ignore lint/correctness/useExhaustiveDependencies: whoever uses it says what it depends on
  }, dependencies);
  useEffect(() => {
    reload();
    return () => void turn.current++;
  }, [reload]);
  return { ...state, reload };
}
