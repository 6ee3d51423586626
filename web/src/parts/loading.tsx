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

interface ListProps {
  load: Load<unknown>;
  isEmpty: boolean;
  // Said only once it is known that there is nothing.
  empty: ReactNode;
  children: ReactNode;
}

// A list of which some is known before the answer, or without it.
export const LoadingList = ({ load, isEmpty, empty, children }: ListProps) => (
  <Loading
    load={{ ...load, data: isEmpty && load.data === undefined ? undefined : { isEmpty } }}
    empty={{ when: (known) => known.isEmpty, say: empty }}
  >
    {() => children}
  </Loading>
);
