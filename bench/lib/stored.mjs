// Messages written straight into the database of a daemon that does not run.
import { insertEvent, insertMessage, updateFolded } from '../../dist/store/index.js';
import { openDatabase } from '../../dist/store/open.js';

export const messageOf = (id, recipient, text) => ({
  id,
  recipient,
  senderSession: null,
  senderName: 'user',
  text,
  command: false,
  mode: 'sequential',
  pastDraft: null,
  speaks: null,
  surety: null,
  expiresAt: null,
  whenIdle: false,
  force: false,
  notify: { onDelivery: false, after: null, onStop: false, quiet: false },
  inReplyTo: null,
  thread: id,
  createdAt: Date.now(),
});

const FOLDED = { attempts: 1, failures: 0, not_before: null, lead: null, held: null, turn: null };

// `state`: waiting for delivery, or delivered long ago.
export function store(file, count, to, { state }) {
  const database = openDatabase(file);
  const statements = new Map();
  const run = ({ sql, values }) => {
    if (!statements.has(sql)) statements.set(sql, database.prepare(sql));
    statements.get(sql).run(...values);
  };
  database.transaction(() => {
    for (let i = 0; i < count; i++) {
      const id = `${state === 'pending' ? 'a' : 'b'}${i.toString(16).padStart(11, '0')}`;
      run(insertMessage(messageOf(id, to[i % to.length], `stored message ${i}: please run the tests`)));
      run(insertEvent(id, Date.now(), 'queued', '{}'));
      if (state === 'pending') continue;
      const attempt = { n: 1, epoch: 1, lease: 'l', way: 'direct' };
      run(insertEvent(id, Date.now(), 'attempt', JSON.stringify(attempt)));
      run(insertEvent(id, Date.now(), 'submitted', '{"evidence":"box_empty"}'));
      const now = { ...FOLDED, state: 'settled', receipt: 'submitted', settled_at: Date.now() };
      run(updateFolded(id, { state: 'pending', receipt: 'queued' }, now));
    }
  })();
  database.close();
}
