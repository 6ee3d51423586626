// How often one may fail to sign in, from one address and in all; pure.
export interface FailedAttempts {
  // Times in milliseconds, oldest first.
  readonly inAll: readonly number[];
  readonly byAddress: ReadonlyMap<string, readonly number[]>;
}

export const NO_ATTEMPTS: FailedAttempts = { inAll: [], byAddress: new Map() };

const WINDOW_MS = 5 * 60_000;
const MOST_FROM_ONE = 10;
const MOST_IN_ALL = 50;

// `guess`: something short enough to be guessed. What cannot be guessed is not kept out because of what others do.
export type Tried = 'guess' | 'secret';

// How long to wait before the next attempt; 0: not at all.
export function waitFor(
  { inAll, byAddress }: FailedAttempts,
  address: string,
  tried: Tried,
  now: number,
): number {
  const one = freeAt(byAddress.get(address) ?? [], MOST_FROM_ONE, now);
  const all = tried === 'guess' ? freeAt(inAll, MOST_IN_ALL, now) : 0;
  return Math.max(0, one - now, all - now);
}

export function failed({ inAll, byAddress }: FailedAttempts, address: string, now: number): FailedAttempts {
  const others = [...byAddress].flatMap(([each, times]): [string, readonly number[]][] => {
    const left = recent(times, now);
    return left.length > 0 ? [[each, left]] : [];
  });
  const own = recent(byAddress.get(address) ?? [], now);
  return {
    inAll: [...recent(inAll, now), now].slice(-MOST_IN_ALL),
    byAddress: new Map([...others, [address, [...own, now].slice(-MOST_FROM_ONE)]]),
  };
}

// One that was counted at that time has come in after all.
export function forgiven({ inAll, byAddress }: FailedAttempts, address: string, at: number): FailedAttempts {
  const own = without(byAddress.get(address) ?? [], at);
  return { inAll: without(inAll, at), byAddress: new Map([...byAddress, [address, own]]) };
}

const without = (times: readonly number[], at: number): readonly number[] => {
  const index = times.indexOf(at);
  return index === -1 ? times : times.filter((_, n) => n !== index);
};

const recent = (times: readonly number[], now: number): number[] =>
  times.filter((time) => time > now - WINDOW_MS);

// When the oldest of so many is forgotten.
function freeAt(times: readonly number[], most: number, now: number): number {
  const left = recent(times, now);
  return left.length < most ? 0 : (left[left.length - most] ?? 0) + WINDOW_MS;
}
