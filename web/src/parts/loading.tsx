// What stands where something is being asked for, could not be had, or is not there.
import type { ReactNode } from 'react';
import type { Load } from './use-load.js';

interface Props<T> {
  load: Load<T>;
  empty?: { when: (data: T) => boolean; say: ReactNode };
  children: (data: T) => ReactNode;
}

export function Loading<T>({ load, empty, children }: Props<T>) {
  const { data, problem, isLoading, reload } = load;
  return (
    <div aria-busy={isLoading}>
      {problem && (
        <p className="problem" role="alert">
          {problem}{' '}
          <button type="button" className="link" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {data === undefined ? (
        !problem && <p className="empty">Loading …</p>
      ) : empty?.when(data) ? (
        <p className="empty">{empty.say}</p>
      ) : (
        children(data)
      )}
    </div>
  );
}
