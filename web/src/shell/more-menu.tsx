// What is rarely needed: delivery as a whole, how the page calls, its colours, the keys, signing out.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { setPaused, signOut } from '../api/endpoints.js';
import { showNote } from '../attention/note.js';
import { playSound, readySound } from '../attention/sound.js';
import { Icon } from '../parts/icon.js';
import { useVoice } from '../parts/say.js';
import { usePick } from '../state/store.js';
import { useActions } from './actions.js';
import { type Preferences, setPreferences, usePreferences } from './preferences.js';

const NEXT_THEME: Record<Preferences['theme'], Preferences['theme']> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
};

export function MoreMenu() {
  const { sound, notes, theme } = usePreferences();
  const { say, attempt } = useVoice();
  const { help } = useActions();
  const isPaused = usePick((state) => state.isPaused);
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event): void => {
      const isOutside = event.type === 'pointerdown' && !place.current?.contains(event.target as Node);
      const isEscape = (event as KeyboardEvent).key === 'Escape';
      if (isOutside || isEscape) setOpen(false);
      if (isEscape) place.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', leave);
    };
  }, [isOpen]);

  const toggleNotes = async (): Promise<void> => {
    if (notes) return setPreferences({ notes: false });
    if (!('Notification' in window)) return say('This browser has no desktop notes.');
    const answer = await Notification.requestPermission();
    if (answer !== 'granted') return say('The browser does not allow notes: its settings for this page can.');
    const isShown = showNote({ title: 'Suremail', body: 'Notes look like this.', tag: 'sm', session: null });
    setPreferences({ notes: isShown });
    if (!isShown) say('This browser shows no notes to a page.');
  };

  return (
    <div className="more" ref={place}>
      <button
        type="button"
        className="quiet icon"
        aria-label="More"
        aria-expanded={isOpen}
        onClick={() => setOpen((was) => !was)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div className="more-list">
          <Item
            isOn={isPaused}
            onPress={() =>
              void attempt(
                () => setPaused(!isPaused),
                isPaused ? 'Mail goes again.' : 'All mail waits until you resume.',
              )
            }
          >
            Hold all mail
          </Item>
          <Item
            isOn={sound}
            onPress={() => {
              setPreferences({ sound: !sound });
              if (!sound) void readySound().then(playSound);
            }}
          >
            Sound
          </Item>
          <Item isOn={notes} onPress={() => void toggleNotes()}>
            Desktop notes
          </Item>
          <button type="button" onClick={() => setPreferences({ theme: NEXT_THEME[theme] })}>
            Colours <b>{theme}</b>
          </button>
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              help();
            }}
          >
            Keys <kbd>?</kbd>
          </button>
          <button
            type="button"
            onClick={() => void attempt(signOut).then((isDone) => isDone && location.reload())}
          >
            Sign out
          </button>
        </div>
      )}
    </div>
  );
}

interface ItemProps {
  isOn: boolean;
  onPress: () => void;
  children: ReactNode;
}

const Item = ({ isOn, onPress, children }: ItemProps) => (
  <button type="button" aria-pressed={isOn} onClick={onPress}>
    {children} <b>{isOn ? 'on' : 'off'}</b>
  </button>
);
