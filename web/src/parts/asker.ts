// Asks for one thing, one request at a time: what changes meanwhile makes it ask once more after the answer, which is shown
// all the same. So whoever changes often can keep nobody from an answer, nor the daemon busy with many.
import { sentence } from '../api/request.js';

export interface Asked<T> {
  // The last answer stays until there is another.
  data: T | undefined;
  problem: string | undefined;
  isLoading: boolean;
}

export type Told<T> = (change: (before: Asked<T>) => Asked<T>) => void;

export class Asker<T> {
  readonly #load: () => Promise<T>;
  readonly #told: Told<T>;
  #isAsking = false;
  #hasFailed = false;
  // It is to be asked again: in any case, or only if what is under way fails.
  #next: 'no' | 'if_failed' | 'yes' = 'no';
  #isOver = false;

  constructor(load: () => Promise<T>, told: Told<T>) {
    this.#load = load;
    this.#told = told;
  }

  ask(): void {
    if (this.#isOver) return;
    if (this.#isAsking) {
      this.#next = 'yes';
      return;
    }
    this.#isAsking = true;
    this.#next = 'no';
    this.#tell((before) => ({ ...before, isLoading: true }));
    this.#load().then(
      (data) => this.#answered(false, { data, problem: undefined }),
      (error: unknown) => this.#answered(true, { problem: sentence(error) }),
    );
  }

  // The daemon can be reached again: what failed, or fails yet, is worth another try.
  retry(): void {
    if (!this.#isAsking && this.#hasFailed) this.ask();
    else if (this.#isAsking && this.#next === 'no') this.#next = 'if_failed';
  }

  // What comes from now on is an answer to another question.
  end(): void {
    this.#isOver = true;
  }

  #answered(hasFailed: boolean, answer: Partial<Asked<T>>): void {
    this.#isAsking = false;
    this.#hasFailed = hasFailed;
    this.#tell((before) => ({ ...before, ...answer, isLoading: false }));
    if (this.#next === 'yes' || (this.#next === 'if_failed' && hasFailed)) this.ask();
  }

  #tell(change: (before: Asked<T>) => Asked<T>): void {
    if (!this.#isOver) this.#told(change);
  }
}
