// Calls the person when a signal asks for it, and shows the count on the tab.
import { useEffect, useMemo } from 'react';
import { isCalling } from '../sessions/need.js';
import { useAround } from '../sessions/use-around.js';
import { preferences } from '../shell/preferences.js';
import { useRoute } from '../shell/route.js';
import { sameItems, usePick } from '../state/store.js';
import { showCount } from './badge.js';
import { Caller } from './caller.js';
import { useMemory } from './memory-context.js';
import { note } from './note.js';
import { canSound, playSound, readySound } from './sound.js';

// What a browser takes for a touch of the page: of a finger it is the end.
const TOUCHES = ['pointerdown', 'pointerup', 'keydown'] as const;
const WAIT_MS = 300;
// What one tab writes another reads a few milliseconds later, also under a lock; on a busy machine some more.
const WRITTEN_MS = 300;
const LOCK = 'sm-attention';

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const wait = (): Promise<void> => delay(WAIT_MS);

// Two tabs hear of a signal in the same moment: only under the lock is what the other wrote seen.
async function alone(run: () => void): Promise<void> {
  if (!navigator.locks) return run();
  await navigator.locks.request(LOCK, async () => {
    run();
    await delay(WRITTEN_MS);
  });
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
  const caller = useMemo(
    () => new Caller({ memory: live.memory, sound, note, canSound, wait, alone }),
    [live],
  );

  useEffect(() => {
    if (isLoaded) void caller.look(sessions, rules);
  }, [caller, sessions, rules, isLoaded]);

  const calling = sessions.filter(
    (session) => isCalling(session, around) && !live.memory.isMuted(session.id),
  ).length;
  const place = usePick((state) =>
    route.page === 'session' ? (state.sessions[route.id]?.name ?? null) : null,
  );
  useEffect(() => showCount(calling, place), [calling, place]);

  useEffect(() => {
    const ready = (): void => void readySound();
    for (const touch of TOUCHES) window.addEventListener(touch, ready);
    return () => {
      for (const touch of TOUCHES) window.removeEventListener(touch, ready);
    };
  }, []);
  return calling;
}
