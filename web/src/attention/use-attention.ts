// Calls the person when a signal asks for it, shows the count on the tab, and forgets sessions that are no more.
import { useEffect, useMemo } from 'react';
import { isCalling } from '../sessions/need.js';
import { useAround } from '../sessions/use-around.js';
import { preferences } from '../shell/preferences.js';
import { go, useRoute } from '../shell/route.js';
import { sameItems, usePick } from '../state/store.js';
import { showCount } from './badge.js';
import { Caller } from './caller.js';
import { useMemory } from './memory-context.js';
import { playSound, readySound } from './sound.js';

function note({
  title,
  body,
  tag,
  session,
}: {
  title: string;
  body: string;
  tag: string;
  session: string | null;
}): void {
  if (!preferences().notes || !('Notification' in window) || Notification.permission !== 'granted') return;
  const shown = new Notification(title, { body, tag, icon: '/favicon.svg' });
  shown.onclick = () => {
    window.focus();
    if (session) go({ page: 'session', id: session });
    shown.close();
  };
}

// Counted where tests can see it: a sound leaves no other trace.
function sound(): void {
  document.documentElement.dataset.sounded = String(
    Number(document.documentElement.dataset.sounded ?? 0) + 1,
  );
  if (preferences().sound) playSound();
}

// How many need the person.
export function useAttention(): number {
  const live = useMemory();
  const route = useRoute();
  const sessions = usePick((state) => Object.values(state.sessions), sameItems);
  const isLoaded = usePick((state) => state.isLoaded);
  const rules = usePick((state) => state.signals);
  const around = useAround();
  const caller = useMemo(() => new Caller({ memory: live.memory, sound, note }), [live]);

  useEffect(() => {
    if (isLoaded) void caller.look(sessions, rules);
  }, [caller, sessions, rules, isLoaded]);

  const ids = sessions.map(({ id }) => id).join();
  useEffect(() => {
    if (isLoaded) live.memory.prune(new Set(ids.split(',')));
  }, [live, isLoaded, ids]);

  const calling = sessions.filter(
    (session) => isCalling(session, around) && !live.memory.isMuted(session.id),
  ).length;
  const place = usePick((state) =>
    route.page === 'session' ? (state.sessions[route.id]?.name ?? null) : null,
  );
  useEffect(() => showCount(calling, place), [calling, place]);

  useEffect(() => {
    window.addEventListener('pointerdown', readySound, { once: true });
    window.addEventListener('keydown', readySound, { once: true });
    return () => {
      window.removeEventListener('pointerdown', readySound);
      window.removeEventListener('keydown', readySound);
    };
  }, []);
  return calling;
}
