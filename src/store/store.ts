// The store: migrations and checks on opening, one reading connection, one writer.
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { damaged, isDamage } from './errors.js';
import { type Migration, migrate } from './migrate.js';
import { openDatabase } from './open.js';
import { type Step, type StepResult, Writer } from './writer.js';

export interface StoreOptions {
  migrations?: readonly Migration[];
  writerThread?: URL;
}

export class Store {
  private constructor(
    // For reading only: SELECT statements, prepared once by the modules of the tables.
    readonly read: Database,
    readonly writer: Writer,
    // The last daemon did not close it; the check has passed.
    readonly recovered: boolean,
  ) {}

  static open(file: string, { migrations, writerThread }: StoreOptions = {}): Store {
    const existed = fs.existsSync(file) && fs.statSync(file).size > 0;
    const database = openDatabase(file);
    let recovered = false;
    try {
      migrate(database, migrations);
      recovered = existed && readMeta(database, 'closed') !== 'cleanly';
      if (recovered) checkIntegrity(database);
      setMeta(database, 'closed', 'no');
    } catch (error) {
      throw isDamage(error) ? damaged(file, (error as Error).message) : error;
    } finally {
      database.close();
    }
    return new Store(openDatabase(file, { readonly: true }), new Writer(file, writerThread), recovered);
  }

  write(steps: readonly Step[]): Promise<StepResult[]> {
    return this.writer.write(steps);
  }

  async close(): Promise<void> {
    await this.writer.write([metaStep('closed', 'cleanly')]);
    this.read.close();
    await this.writer.close();
  }
}

export const metaStep = (key: string, value: string): Step => ({
  sql: 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  values: [key, value],
});

export function readMeta(database: Database, key: string): string | undefined {
  const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(key) as
    | { value: string }
    | undefined;
  return row?.value;
}

function setMeta(database: Database, key: string, value: string): void {
  const { sql, values } = metaStep(key, value);
  database.prepare(sql).run(...values);
}

function checkIntegrity(database: Database): void {
  const rows = database.pragma('integrity_check') as { integrity_check: string }[];
  if (rows.length === 1 && rows[0]?.integrity_check === 'ok') return;
  throw damaged(
    database.name,
    rows
      .slice(0, 3)
      .map((row) => row.integrity_check)
      .join('; '),
  );
}
