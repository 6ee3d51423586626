// Where the page is, as its address says it behind the #. Pure, but for the hook.
import { useSyncExternalStore } from 'react';

export const MAIL_LISTS = ['queue', 'history', 'dead', 'drafts'] as const;
export const OPS_PARTS = ['doctor', 'hosts', 'config'] as const;

export type Route =
  | { page: 'sessions' }
  | { page: 'session'; id: string }
  | { page: 'mail'; list: (typeof MAIL_LISTS)[number] }
  | { page: 'thread'; id: string }
  | { page: 'inbox' }
  | { page: 'reminders' }
  | { page: 'ops'; part: (typeof OPS_PARTS)[number] };

const oneOf = <T extends string>(all: readonly T[], given: string | undefined): T | undefined =>
  all.find((each) => each === given);

// What is no address of ours is the list of sessions.
export function parseRoute(hash: string): Route {
  const [page, rest] = hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((word) => decodeSafely(word));
  switch (page) {
    case 's':
      return rest ? { page: 'session', id: rest } : { page: 'sessions' };
    case 'mail':
      return { page: 'mail', list: oneOf(MAIL_LISTS, rest) ?? 'queue' };
    case 'thread':
      return rest ? { page: 'thread', id: rest } : { page: 'mail', list: 'history' };
    case 'inbox':
    case 'reminders':
      return { page };
    case 'ops':
      return { page: 'ops', part: oneOf(OPS_PARTS, rest) ?? 'doctor' };
    default:
      return { page: 'sessions' };
  }
}

export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'sessions':
      return '#/';
    case 'session':
      return `#/s/${encodeURIComponent(route.id)}`;
    case 'mail':
      return `#/mail/${route.list}`;
    case 'thread':
      return `#/thread/${encodeURIComponent(route.id)}`;
    case 'ops':
      return `#/ops/${route.part}`;
    default:
      return `#/${route.page}`;
  }
}

export function decodeSafely(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

export const go = (route: Route): void => {
  location.hash = hrefOf(route);
};

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

let last = { hash: '', route: parseRoute('') };

export const useRoute = (): Route =>
  useSyncExternalStore(subscribe, () => {
    if (last.hash !== location.hash) last = { hash: location.hash, route: parseRoute(location.hash) };
    return last.route;
  });
