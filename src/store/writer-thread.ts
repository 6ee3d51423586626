// The writer's thread: takes all units that wait, commits them as one transaction, answers when they are on disk.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Statement } from 'better-sqlite3';
import { openDatabase } from './open.js';
import type { Reply, StepResult, Unit } from './writer.js';

type Incoming = readonly Unit[] | 'close';

// More than this in one transaction only makes the first of them wait longer.
const MAX_GROUP = 500;

if (!parentPort) throw new Error('writer-thread.js runs as a worker thread only');
const port = parentPort;
const database = openDatabase((workerData as { file: string }).file);
// Text passes through here: what was promised to a sender survives a power cut.
database.pragma('synchronous = FULL');

const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const rollback = database.prepare('ROLLBACK');
const savepoint = database.prepare('SAVEPOINT unit');
const release = database.prepare('RELEASE unit');
const undo = database.prepare('ROLLBACK TO unit');

const statements = new Map<string, Statement>();
function prepared(sql: string): Statement {
  let statement = statements.get(sql);
  if (!statement) {
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

function runUnit({ id, steps }: Unit): Reply {
  savepoint.run();
  try {
    const results: StepResult[] = [];
    for (const [index, { sql, values, expect }] of steps.entries()) {
      const { changes, lastInsertRowid } = prepared(sql).run(...values);
      if (expect !== undefined && changes !== expect) {
        undo.run();
        release.run();
        return { id, kind: 'unmet', step: index };
      }
      results.push({ changes, rowid: Number(lastInsertRowid) });
    }
    release.run();
    return { id, kind: 'done', results };
  } catch (error) {
    // A full disk may have taken the whole transaction back already, and then no unit of it holds.
    if (!database.inTransaction) throw error;
    undo.run();
    release.run();
    return failed(id, error);
  }
}

const failed = (id: number, error: unknown): Reply => {
  const { message, code } = error as Error & { code?: string };
  return { id, kind: 'error', message, code };
};

function commitGroup(units: readonly Unit[]): Reply[] {
  try {
    begin.run();
    const replies = units.map(runUnit);
    commit.run();
    return replies;
  } catch (error) {
    if (database.inTransaction) rollback.run();
    return units.map(({ id }) => failed(id, error));
  }
}

port.on('message', (first: Incoming) => {
  const units: Unit[] = [];
  let closing = false;
  for (let next: Incoming | undefined = first; next !== undefined; next = takeWaiting(units.length)) {
    if (next === 'close') closing = true;
    else units.push(...next);
  }
  if (units.length) port.postMessage(commitGroup(units));
  if (closing) {
    database.close();
    port.close();
  }
});

function takeWaiting(taken: number): Incoming | undefined {
  if (taken >= MAX_GROUP) return undefined;
  return (receiveMessageOnPort(port) as { message: Incoming } | undefined)?.message;
}
