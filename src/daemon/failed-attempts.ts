// How often one may fail to sign in, from one address and in all; pure.
import { isIP } from 'node:net';

export interface FailedAttempts {
  // Times in milliseconds, oldest first.
  readonly inAll: readonly number[];
  readonly byAddress: ReadonlyMap<string, readonly number[]>;
}

export const NO_ATTEMPTS: FailedAttempts = { inAll: [], byAddress: new Map() };

const WINDOW_MS = 5 * 60_000;
const MOST_FROM_ONE = 10;
const MOST_IN_ALL = 50;
// Those who failed last. Whoever has more addresses than that gains nothing: guesses are limited in all.
const MOST_ADDRESSES = 1000;

// `guess`: something short enough to be guessed. What cannot be guessed, and was wrong, is kept out by its own failures alone.
export type Tried = 'guess' | 'secret';

// How long to wait before the next attempt; 0: not at all.
export function waitFor(
  { inAll, byAddress }: FailedAttempts,
  address: string,
  tried: Tried,
  now: number,
): number {
  const one = freeAt(byAddress.get(networkOf(address)) ?? [], MOST_FROM_ONE, now);
  const all = tried === 'guess' ? freeAt(inAll, MOST_IN_ALL, now) : 0;
  return Math.max(0, one - now, all - now);
}

export function failed({ inAll, byAddress }: FailedAttempts, address: string, now: number): FailedAttempts {
  const network = networkOf(address);
  const own = recent(byAddress.get(network) ?? [], now);
  const others = [...byAddress].filter(
    ([each, times]) => each !== network && (times.at(-1) ?? 0) > now - WINDOW_MS,
  );
  return {
    inAll: [...recent(inAll, now), now].slice(-MOST_IN_ALL),
    // Whoever failed last stands last.
    byAddress: new Map([
      ...others.slice(1 - MOST_ADDRESSES),
      [network, [...own, now].slice(-MOST_FROM_ONE)] as const,
    ]),
  };
}

// One that was counted at that time has come in after all.
export function forgiven({ inAll, byAddress }: FailedAttempts, address: string, at: number): FailedAttempts {
  const network = networkOf(address);
  const own = without(byAddress.get(network) ?? [], at);
  return { inAll: without(inAll, at), byAddress: new Map([...byAddress, [network, own]]) };
}

// One neighbour has a whole /64 of IPv6 to come from.
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(before), groups(after ?? '')];
  const zeros = after === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
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
