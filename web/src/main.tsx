// Puts the page together: what it knows, what follows the daemon, what this browser remembers.
import { createRoot } from 'react-dom/client';
import { LiveMemory, MemoryContext } from './attention/memory-context.js';
import { App } from './shell/app.js';
import { followPreferences } from './shell/preferences.js';
import { Following } from './state/following.js';
import { Store, StoreContext } from './state/store.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import './styles/over.css';
import './styles/sessions.css';
import './styles/rows.css';
import './styles/session.css';
import './styles/mail.css';
import './styles/letter.css';
import './styles/thumb.css';

followPreferences();
const store = new Store();
const memory = new LiveMemory(window.localStorage);
const following = new Following(store, memory.memory);
memory.follow();

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StoreContext value={store}>
      <MemoryContext value={memory}>
        <App following={following} />
      </MemoryContext>
    </StoreContext>,
  );
