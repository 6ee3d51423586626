// What is being written of all that the doors told of each session: a hook may be forgotten only once that is on disk.
import type { Session } from './session.js';

export class Unsaved {
  // Each resolves with the error that it met.
  readonly #work = new Map<string, Set<Promise<{ error: unknown } | undefined>>>();

  constructor(readonly onError: (error: unknown) => void) {}

  add({ id }: Session, work: Promise<unknown>): void {
    const all = this.#work.get(id) ?? new Set();
    this.#work.set(id, all);
    const done = work
      .then(
        () => undefined,
        (error: unknown) => {
          this.onError(error);
          return { error };
        },
      )
      .finally(() => {
        all.delete(done);
        if (all.size === 0 && this.#work.get(id) === all) this.#work.delete(id);
      });
    all.add(done);
  }

  // Rejects where something of it could not be written. What an agent of another session takes long to tell is not waited for.
  async saved({ id }: Session): Promise<void> {
    const failed = (await Promise.all(this.#work.get(id) ?? [])).find((error) => error !== undefined);
    if (failed) throw failed.error;
  }
}
