// How the page calls: with a sound, with notes on the desktop.
import { playSound } from '../attention/sound.js';
import { useVoice } from '../parts/say.js';
import { setPreferences, usePreferences } from './preferences.js';

export function Bell() {
  const { sound, notes } = usePreferences();
  const { say } = useVoice();
  const toggleNotes = async (): Promise<void> => {
    if (notes) return setPreferences({ notes: false });
    if (!('Notification' in window)) return say('This browser has no desktop notes.');
    const answer = await Notification.requestPermission();
    setPreferences({ notes: answer === 'granted' });
    if (answer !== 'granted') say('The browser does not allow notes: its settings for this page can.');
  };
  return (
    <>
      <button
        type="button"
        className="quiet icon"
        aria-label="Sound"
        aria-pressed={sound}
        title={sound ? 'Sound is on' : 'Sound is off'}
        onClick={() => {
          setPreferences({ sound: !sound });
          if (!sound) playSound();
        }}
      >
        {sound ? '♪' : '♪̸'}
      </button>
      <button
        type="button"
        className={notes ? 'quiet icon on' : 'quiet icon'}
        aria-label="Desktop notes"
        aria-pressed={notes}
        title={notes ? 'Desktop notes are on' : 'Desktop notes are off'}
        onClick={() => void toggleNotes()}
      >
        {notes ? '◉' : '◌'}
      </button>
    </>
  );
}
