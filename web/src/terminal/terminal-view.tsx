// The live terminal of a session, with what belongs to it: search, fitting, and keys for a thumb. Loaded when it is opened.
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../parts/copy.js';
import { Icon } from '../parts/icon.js';
import { useVoice } from '../parts/say.js';
import { usePreferences } from '../shell/preferences.js';
import { usePick } from '../state/store.js';
import { Pane } from './pane.js';
import type { Word } from './stream.js';
import { ThumbKeys } from './thumb-keys.js';

// Why keys did not arrive.
const REFUSED: Record<string, string> = {
  gone: 'Not typed: its pane has gone.',
  dead: 'Not typed: its program has ended.',
  host_down: 'Not typed: its host is not reached.',
  in_mode: 'Not typed: somebody is in copy mode there.',
  not_connected: 'Not typed: not connected.',
  other_panes: 'Not fitted: other panes share its window.',
  invalid: 'Not fitted: no pane is as small, or as large, as this window.',
  fit_not_connected: 'Not fitted: not connected.',
};

type Told = Extract<Word, { type: 'state' }>;

export default function TerminalView({ session, name }: { session: string; name: string }) {
  const place = useRef<HTMLDivElement>(null);
  const pane = useRef<Pane>(undefined);
  const { theme } = usePreferences();
  const { say, attempt } = useVoice();
  const [isConnected, setConnected] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [told, setTold] = useState<Told>();
  const [size, setSize] = useState('');
  const [search, setSearch] = useState<string>();
  const isOver = usePick((state) => state.sessions[session]?.state === 'ended');

  useEffect(() => {
    if (!place.current) return;
    const made = new Pane(session, place.current, {
      told: (word) => {
        if (word.type === 'held') setHeld(word.on);
        else if (word.type === 'state') setTold(word);
        else say(REFUSED[word.reason] ?? `Not typed: ${word.reason}.`);
      },
      connected: (isNow) => {
        setConnected(isNow);
        // A daemon that holds keys says so to whoever connects.
        setHeld(false);
      },
      copy: (text) => void attempt(() => copyText(text), 'Copied.'),
      sized: (columns, rows) => setSize(`${columns} × ${rows}`),
      leave: () => document.querySelector<HTMLElement>('[data-after-terminal]')?.focus(),
    });
    pane.current = made;
    // Tests read what is on the screen here.
    Object.assign(place.current, { terminal: made.terminal });
    return () => {
      pane.current = undefined;
      made.dispose();
    };
  }, [session, say, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: its colours come from the page
  useEffect(() => pane.current?.retheme(), [theme]);

  const find = (text: string, isBack: boolean): void => {
    const options = { incremental: !isBack };
    if (isBack) pane.current?.search.findPrevious(text);
    else pane.current?.search.findNext(text, options);
  };

  return (
    <section className="terminal" aria-label={`Terminal of ${name}`}>
      <div className="terminal-bar">
        <span className={isConnected ? 'terminal-state' : 'terminal-state off'} role="status">
          {isOver ? 'its program has ended' : wordsOf(isConnected, isHeld, told)}
        </span>
        <span className="muted">{size}</span>
        <span className="grow" />
        {search === undefined ? (
          <button type="button" className="quiet" onClick={() => setSearch('')}>
            Search
          </button>
        ) : (
          <form
            className="terminal-search"
            onSubmit={(event) => {
              event.preventDefault();
              find(search, true);
            }}
          >
            <input
              aria-label="Search in the terminal"
              value={search}
              // biome-ignore lint/a11y/noAutofocus: it was opened to write in it
              autoFocus
              onChange={(event) => {
                setSearch(event.target.value);
                find(event.target.value, false);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Escape') setSearch(undefined);
              }}
            />
            <button type="submit" className="quiet" aria-label="The one before">
              <Icon name="up" />
            </button>
            <button
              type="button"
              className="quiet"
              aria-label="The next one"
              onClick={() => find(search, false)}
            >
              <Icon name="down" />
            </button>
          </form>
        )}
        <button
          type="button"
          className="quiet"
          title="Give the pane the width of this window, for everybody who looks at it"
          onClick={() => pane.current?.fitPane()}
        >
          Fit pane
        </button>
      </div>
      <div ref={place} className="terminal-place" data-terminal={session} />
      <ThumbKeys onKey={(text) => pane.current?.type(text)} />
      <p className="muted hint terminal-hint">
        Shift Esc leaves the terminal. What you type here is a draft like any other.
      </p>
    </section>
  );
}

function wordsOf(isConnected: boolean, isHeld: boolean, told: Told | undefined): string {
  if (!isConnected) return 'connecting …';
  if (told?.state === 'gone') return `gone${told.reason ? `: ${told.reason}` : ''}`;
  if (told?.state === 'host_down') return `its host is not reached${told.reason ? `: ${told.reason}` : ''}`;
  return isHeld ? 'mail goes past your draft; your keys wait' : 'live';
}
