// Where a daemon stood when it was killed: what its journal says, and the step that tmux recorded with its last key.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../build-copy.mjs';

const Database = createRequire(path.join(ROOT, 'package.json'))('better-sqlite3');

// Steps in which something of ours may be in the box, or the draft not yet back in it.
const INSIDE = /^(reading|typed|entered|restoring)/;

export const isInside = (point) => INSIDE.test(point);

// A short text that is the same for all kills of one kind.
export function faultPoint(dbPath, tmuxSocket) {
  const db = new Database(dbPath, { readonly: true });
  try {
    const query = `SELECT m.id, m.attempts, m.receipt, s.pane FROM messages m JOIN sessions s ON s.id = m.recipient
      WHERE m.state = 'attempting' AND m.lead IS NULL ORDER BY m.seq LIMIT 1`;
    const message = db.prepare(query).get();
    if (!message) return 'between attempts';
    const step = stepInTmux(tmuxSocket, message) ?? lastEvent(db, message.id);
    return `${step}, ${draftState(db, message)}`;
  } finally {
    db.close();
  }
}

function stepInTmux(socket, { id, attempts, pane }) {
  try {
    const name = `SM_AT_${pane.slice(1)}`;
    const args = ['-S', socket, 'show-environment', '-g', '-h', name];
    const entry = execFileSync('tmux', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return entry.includes(`${id}.${attempts}.`) ? entry.split('.').at(-1) : undefined;
  } catch {
    return undefined;
  }
}

const lastEvent = (db, id) =>
  `after ${db.prepare('SELECT kind FROM message_events WHERE message_id = ? ORDER BY seq DESC LIMIT 1').get(id)?.kind}`;

// Builds from before drafts were saved have no such table.
function draftState(db, { id, attempts }) {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'drafts'").get();
  if (!table) return 'no drafts kept';
  const query = 'SELECT state FROM drafts WHERE message_id = ? AND attempt = ? ORDER BY seq DESC LIMIT 1';
  const row = db.prepare(query).get(id, attempts);
  return row ? `draft ${row.state}` : 'no draft taken';
}
