// What is wrong with the database, in words that say what to do.

export class StoreError extends Error {
  override readonly name = 'StoreError';
}

// A step of a unit did not change what it had to: the unit was rolled back and nothing of it happened.
export class Unmet extends Error {
  override readonly name = 'Unmet';

  constructor(readonly step: number) {
    super(`step ${step} of a unit of writes did not apply`);
  }
}
