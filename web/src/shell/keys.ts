// The keyboard: which key does what, and never while somebody is writing.
import { useEffect } from 'react';
import { useMemory } from '../attention/memory-context.js';
import { useStore } from '../state/store.js';
import { useActions } from './actions.js';
import { go, useRoute } from './route.js';

export const KEYS: readonly [key: string, does: string][] = [
  ['j, k', 'the next session, the one before'],
  ['Enter', 'open it'],
  ['r', 'reply to it'],
  ['e', 'what it reported is seen'],
  ['m', 'mute it, or hear it again'],
  ['c', 'write to several'],
  ['n', 'start a session'],
  ['/', 'search'],
  ['t', 'into the terminal (Shift Esc leads out)'],
  ['g', 'all sessions'],
  ['Esc', 'close what is open'],
  ['?', 'this list'],
];

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isSearch = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && 'search' in target.dataset;

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-session-link]')];

function move(step: 1 | -1): void {
  const all = links();
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next =
    all[at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
  next?.focus({ preventScroll: true });
  // The whole of it: what it reported stands below its name.
  next?.closest('[data-session]')?.scrollIntoView({ block: 'nearest' });
}

export function useKeys(): void {
  const { compose, spawn, help } = useActions();
  const route = useRoute();
  const store = useStore();
  const live = useMemory();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      // Out of a search: onto what it found, or nowhere.
      if (isSearch(event.target) && (event.key === 'Enter' || event.key === 'Escape')) {
        event.preventDefault();
        event.target.blur();
        if (event.key === 'Enter') move(1);
        return;
      }
      if (isWriting(event.target) || document.querySelector('dialog[open]')) return;
      const focused = (document.activeElement as HTMLElement | null)?.dataset.sessionLink;
      const id = route.page === 'session' ? route.id : focused;
      const session = id === undefined ? undefined : store.state.sessions[id];
      const doing: Record<string, (() => void) | undefined> = {
        j: () => move(1),
        k: () => move(-1),
        r: () => {
          if (route.page === 'session') window.dispatchEvent(new Event('sm-reply'));
          else if (session) compose([session.id]);
        },
        e: session && (() => live.markSeen(session.id, session.signal_seq)),
        m: session && (() => live.setMuted(session.id, !live.memory.isMuted(session.id))),
        c: () => compose([]),
        n: spawn,
        g: () => go({ page: 'sessions' }),
        t: () => document.querySelector<HTMLElement>('.xterm-helper-textarea')?.focus(),
        '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
        '?': help,
      };
      const act = doing[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [route, compose, spawn, help, store, live]);
}
