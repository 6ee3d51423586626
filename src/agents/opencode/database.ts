// OpenCode's own database, read when its process is gone: what it took stands there.
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { Message } from './wire.js';

// Where a process with this environment keeps it.
export function databaseOf(env: Readonly<Record<string, string>>): string {
  const data = env.XDG_DATA_HOME || path.join(env.HOME ?? os.homedir(), '.local', 'share');
  return path.resolve(data, 'opencode', env.OPENCODE_DB || 'opencode.db');
}

const NEWEST = 200;

interface Row {
  id: string;
  conversation: string;
  created: number;
  data: string;
}

// The conversation that has a message of ours, as far as it matters. Throws when it cannot be read.
export function messagesAround(file: string, id: string): Message[] {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const rows = database
      .prepare<[string], Row>(
        `SELECT id, session_id AS conversation, time_created AS created, data FROM message
         WHERE session_id IN (SELECT session_id FROM message WHERE id LIKE ?)
         ORDER BY time_created DESC LIMIT ${NEWEST}`,
      )
      .all(`msg_____________${id}sm`);
    return rows.reverse().flatMap(({ id: name, conversation, created, data }) => {
      const info = { ...(JSON.parse(data) as object), id: name, sessionID: conversation, time: { created } };
      return Message.safeParse({ info, parts: [] }).data ?? [];
    });
  } finally {
    database.close();
  }
}
