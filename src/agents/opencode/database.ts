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

// The answer to a message comes soon after it.
const MOST = 200;

interface Row {
  id: string;
  conversation: string;
  created: number;
  data: string;
}

// Each conversation that has a message of ours, from that message on as far as it matters. Throws when it cannot be read.
export function messagesAround(file: string, id: string): Message[][] {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const rows = database
      .prepare<[string], Row>(
        `SELECT id, session_id AS conversation, time_created AS created, data FROM message
         JOIN (SELECT session_id AS holder, MIN(time_created) AS since FROM message WHERE id LIKE ? GROUP BY session_id)
           ON session_id = holder AND time_created >= since
         ORDER BY time_created LIMIT ${MOST}`,
      )
      .all(`msg_____________${id}sm`);
    const conversations = new Map<string, Message[]>();
    for (const { id: name, conversation, created, data } of rows) {
      const info = { ...(JSON.parse(data) as object), id: name, sessionID: conversation, time: { created } };
      const message = Message.safeParse({ info, parts: [] }).data;
      const known = conversations.get(conversation) ?? [];
      conversations.set(conversation, message ? [...known, message] : known);
    }
    return [...conversations.values()];
  } finally {
    database.close();
  }
}
