// A note on the desktop, where the browser shows such to a page and the person wants it.
import { preferences } from '../shell/preferences.js';
import { go } from '../shell/route.js';

export interface Note {
  title: string;
  body: string;
  tag: string;
  // Where a click leads.
  session: string | null;
}

export function note(given: Note): void {
  if (preferences().notes && 'Notification' in window && Notification.permission === 'granted')
    showNote(given);
}

// Whether it is shown: on some phones a page may ask for leave, is given it, and shows none all the same.
export function showNote({ title, body, tag, session }: Note): boolean {
  try {
    const shown = new Notification(title, { body, tag, icon: '/favicon.svg' });
    shown.onclick = () => {
      window.focus();
      if (session) go({ page: 'session', id: session });
      shown.close();
    };
    return true;
  } catch {
    return false;
  }
}
