// Disposables and a tiny typed emitter: every subscription returns the thing that ends it.

export interface Disposable {
  dispose(): void;
}

export const disposable = (dispose: () => void): Disposable => ({ dispose });

// Owns disposables; disposing it disposes them, last registered first.
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}

export type Listener<T> = (event: T) => void;

// Synchronous, in order of subscription; a listener added while firing hears the next event only.
export class Emitter<T> {
  #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): Disposable => {
    const own: Listener<T> = (event) => listener(event);
    this.#listeners.add(own);
    return disposable(() => this.#listeners.delete(own));
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  get size(): number {
    return this.#listeners.size;
  }
}
