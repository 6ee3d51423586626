// What is being written of all that doors told: a hook may be forgotten only once that is on disk.
export class Unsaved {
  // Each resolves with the error that it met.
  readonly #work = new Set<Promise<{ error: unknown } | undefined>>();

  constructor(readonly onError: (error: unknown) => void) {}

  add(work: Promise<unknown>): void {
    const done = work
      .then(
        () => undefined,
        (error: unknown) => {
          this.onError(error);
          return { error };
        },
      )
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  // Rejects where something of it could not be written.
  async saved(): Promise<void> {
    const failed = (await Promise.all(this.#work)).find((error) => error !== undefined);
    if (failed) throw failed.error;
  }
}
