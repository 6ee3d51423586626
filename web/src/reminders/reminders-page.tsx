// What will be said later, to an agent or to you: add one, see when each is due, cancel it.
import { type FormEvent, useState } from 'react';
import { DURATION_EXAMPLES, parseDuration } from '../../../src/api/duration.js';
import type { Reminder, Session } from '../../../src/api/types.js';
import { addReminder, cancelReminder, listReminders } from '../api/endpoints.js';
import { Until } from '../parts/clock.js';
import { Loading } from '../parts/loading.js';
import { Rows } from '../parts/rows.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import { sameItems, usePick } from '../state/store.js';

export function RemindersPage() {
  // A reminder that was said has become a message, or mail to you.
  const turn = usePick((state) => `${state.queueTurn} ${state.unread}`);
  const load = useLoad(listReminders, [], turn);
  return (
    <section className="page narrow" aria-labelledby="reminders-head">
      <h1 id="reminders-head">Reminders</h1>
      <AddReminder onAdded={load.reload} />
      <Loading load={load} empty={{ when: (all) => all.length === 0, say: 'Nothing is to be said later.' }}>
        {(reminders) => (
          <Rows>
            {reminders.map((reminder) => (
              <ReminderRow key={reminder.id} reminder={reminder} onChange={load.reload} />
            ))}
          </Rows>
        )}
      </Loading>
    </section>
  );
}

function ReminderRow({ reminder, onChange }: { reminder: Reminder; onChange: () => void }) {
  const { attempt } = useVoice();
  const cancel = async (): Promise<void> => {
    await cancelReminder(reminder.id);
    onChange();
  };
  return (
    <article className="message">
      <header className="message-head">
        <span className="message-who">to {reminder.to?.name ?? 'you'}</span>
        {reminder.every_seconds !== null && <span className="tag">every {reminder.every_seconds} s</span>}
        <Until at={reminder.due_at} />
      </header>
      <p className="message-text open">{reminder.text}</p>
      <footer className="message-foot">
        <span className="muted">
          {new Date(reminder.due_at).toLocaleString()}
          {reminder.fired > 0 && ` · said ${reminder.fired} times`}
        </span>
        <span className="message-actions">
          <button type="button" className="link danger" onClick={() => void attempt(cancel, 'Cancelled.')}>
            Cancel
          </button>
        </span>
      </footer>
    </article>
  );
}

function AddReminder({ onAdded }: { onAdded: () => void }) {
  const { attempt } = useVoice();
  const sessions = usePick(
    (state) => Object.values(state.sessions).sort((a: Session, b: Session) => a.name.localeCompare(b.name)),
    sameItems,
  );
  const [to, setTo] = useState('@me');
  const [text, setText] = useState('');
  const [after, setAfter] = useState('20m');
  const [isRepeated, setRepeated] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const isAdded = await attempt(async () => {
      const ms = parseDuration(after.trim());
      if (ms === undefined) throw new Error(`"${after}" is no time; write ${DURATION_EXAMPLES}`);
      const seconds = ms / 1000;
      await addReminder({ to, text, ...(isRepeated ? { every_seconds: seconds } : { in_seconds: seconds }) });
    }, 'It will be said.');
    if (!isAdded) return;
    setText('');
    onAdded();
  };
  return (
    <form className="letter inline" onSubmit={(event) => void submit(event)}>
      <label>
        Remind
        <select value={to} onChange={(event) => setTo(event.target.value)}>
          <option value="@me">me</option>
          {sessions.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        in
        <input value={after} size={6} onChange={(event) => setAfter(event.target.value)} />
      </label>
      <label className="check">
        <input type="checkbox" checked={isRepeated} onChange={(event) => setRepeated(event.target.checked)} />
        again and again
      </label>
      <label className="grow">
        <span className="off-screen">What to say</span>
        <input
          value={text}
          placeholder="look at the build"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="primary" disabled={text.trim() === ''}>
        Add
      </button>
    </form>
  );
}
