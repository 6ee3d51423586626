// Brings a database to the newest schema, one numbered .sql file at a time, each in a transaction.
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from './errors.js';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

const FOLDER = new URL('./migrations/', import.meta.url);

export function readMigrations(folder: URL = FOLDER): Migration[] {
  const names = fs.readdirSync(folder).filter((name) => /^\d{4}-.*\.sql$/.test(name));
  return names.sort().map((name) => ({
    version: Number(name.slice(0, 4)),
    name,
    sql: fs.readFileSync(new URL(name, folder), 'utf8'),
  }));
}

export function migrate(database: Database, migrations: readonly Migration[] = readMigrations()): void {
  const newest = migrations.at(-1)?.version ?? 0;
  const current = database.pragma('user_version', { simple: true }) as number;
  if (current > newest) {
    throw new StoreError(
      `the database ${database.name} has schema ${current}, this version knows up to ${newest}: a newer Suremail wrote it. ` +
        'Start that version, or point SM_HOME at another folder.',
    );
  }
  for (const { version, name, sql } of migrations) {
    if (version <= current) continue;
    try {
      database.transaction(() => {
        database.exec(sql);
        database.pragma(`user_version = ${version}`);
      })();
    } catch (error) {
      throw new StoreError(`migration ${name} of ${database.name} failed: ${(error as Error).message}`);
    }
  }
}
