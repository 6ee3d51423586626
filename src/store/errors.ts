// What is wrong with the database, in words that say what to do.

export class StoreError extends Error {
  override readonly name = 'StoreError';
}

export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test((error as { code?: string }).code ?? '');

export const damaged = (file: string, found: string): StoreError =>
  new StoreError(
    `the database ${file} is damaged: ${found}. Keep a copy, then try "sqlite3 ${file} .recover", ` +
      'or move it away to start with an empty one.',
  );

// A step of a unit did not change what it had to: the unit was rolled back and nothing of it happened.
export class Unmet extends Error {
  override readonly name = 'Unmet';

  constructor(readonly step: number) {
    super(`step ${step} of a unit of writes did not apply`);
  }
}

// Nothing of the unit was written.
export class DiskFull extends Error {
  override readonly name = 'DiskFull';

  constructor(folder: string) {
    super(`the disk is full: nothing was stored; make room where ${folder} is`);
  }
}
