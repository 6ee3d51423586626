// Starting a session: a command of your own, or the configured agent with a first message.
import { useState } from 'react';
import { listHosts, spawnSession, startSession } from '../api/endpoints.js';
import { Dialog } from '../parts/dialog.js';
import { Problem } from '../parts/problem.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import { useTask } from '../parts/use-task.js';
import { go } from '../shell/route.js';
import { useStore } from '../state/store.js';
import { splitWords } from './split-words.js';

export function SpawnDialog({ onClose }: { onClose: () => void }) {
  const store = useStore();
  const { say } = useVoice();
  const { isBusy, problem, run } = useTask();
  const [command, setCommand] = useState('claude');
  const [name, setName] = useState('');
  const [cwd, setCwd] = useState('');
  const [host, setHost] = useState('');
  const hosts = useLoad(listHosts, []).data ?? [];
  const [text, setText] = useState('');
  const start = async (): Promise<void> => {
    const about = {
      ...(name.trim() && { name: name.trim() }),
      ...(cwd.trim() && { cwd: cwd.trim() }),
      ...(host && { host }),
    };
    let id = '';
    const became = await run(async () => {
      const split = splitWords(command);
      if (!split.ok) throw new Error(split.problem);
      const { words } = split;
      if (words.length === 0 && text.trim() === '') throw new Error('give a command, or a first message');
      const session =
        text.trim() === ''
          ? await startSession({ ...about, command: words })
          : (await spawnSession({ ...about, text, ...(words.length > 0 && { command: words }) })).session;
      store.dispatch({ type: 'session', session });
      id = session.id;
    });
    if (became === 'failed') return;
    say('Started.');
    // Who has closed the dialog meanwhile is at something else.
    if (became === 'left') return;
    onClose();
    go({ page: 'session', id });
  };
  return (
    <Dialog title="New session" onClose={onClose} isWide>
      <form
        className="letter"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label>
          Command (empty: the configured agent)
          <input value={command} spellCheck={false} onChange={(event) => setCommand(event.target.value)} />
        </label>
        <div className="option-grid">
          <label>
            Name (optional)
            <input value={name} spellCheck={false} onChange={(event) => setName(event.target.value)} />
          </label>
          <label>
            Folder (optional)
            <input value={cwd} spellCheck={false} onChange={(event) => setCwd(event.target.value)} />
          </label>
          {hosts.length > 0 && (
            <label>
              Host
              <select value={host} onChange={(event) => setHost(event.target.value)}>
                <option value="">this machine</option>
                {hosts.map(({ name: each }) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        <label>
          First message (optional)
          <textarea rows={3} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <Problem text={problem} />
        <div className="letter-foot">
          <button type="submit" className="primary" disabled={isBusy}>
            {isBusy ? 'Starting …' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
