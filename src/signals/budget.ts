// So many in so much time, and not one more.

export interface Allowance {
  count: number;
  perMs: number;
}

export class Budget {
  // When each of the last ones was.
  readonly #spent: number[] = [];

  // Null: it may, and is counted. Else when it may.
  take({ count, perMs }: Allowance, now: number): number | null {
    this.#forget(now - perMs);
    const over = this.#spent.length - count;
    if (over >= 0) return (this.#spent[over] ?? now) + perMs;
    this.#spent.push(now);
    return null;
  }

  spent({ perMs }: Allowance, now: number): number {
    this.#forget(now - perMs);
    return this.#spent.length;
  }

  #forget(before: number): void {
    while (this.#spent[0] !== undefined && this.#spent[0] <= before) this.#spent.shift();
  }
}
