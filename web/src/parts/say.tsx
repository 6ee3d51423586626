// A line that says what has just been done, or why not; read out by screen readers, gone by itself.
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { sentence } from '../api/request.js';

interface Said {
  text: string;
  isProblem: boolean;
}

interface Voice {
  say(text: string): void;
  // Runs it, says `done` afterwards, or what went wrong.
  attempt(run: () => Promise<unknown>, done?: string): Promise<boolean>;
}

const SHOWN_MS = 5000;
const VoiceContext = createContext<Voice>({ say: () => {}, attempt: async () => false });
export const useVoice = (): Voice => useContext(VoiceContext);

export function SayProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<Said>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = useCallback((next: Said): void => {
    clearTimeout(timer.current);
    setSaid(next);
    timer.current = setTimeout(() => setSaid(undefined), SHOWN_MS * (next.isProblem ? 2 : 1));
  }, []);
  const voice = useMemo<Voice>(
    () => ({
      say: (text) => show({ text, isProblem: false }),
      attempt: async (run, done) => {
        try {
          await run();
          if (done) show({ text: done, isProblem: false });
          return true;
        } catch (error) {
          show({ text: sentence(error), isProblem: true });
          return false;
        }
      },
    }),
    [show],
  );
  return (
    <VoiceContext value={voice}>
      {children}
      <div className="said" role="status" aria-live="polite">
        {said && (
          <button
            type="button"
            className={said.isProblem ? 'said-line problem' : 'said-line'}
            onClick={() => setSaid(undefined)}
          >
            {said.text}
          </button>
        )}
      </div>
    </VoiceContext>
  );
}
