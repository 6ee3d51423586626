// Who is at the input box of a session: its courier, or the desk that gives a person's draft back. One at a time.

export type AtBox = 'courier' | 'desk';

export interface BoxTurn {
  // Whoever waits has it next, before anybody who comes later.
  end(): void;
}

interface Waiting {
  by: AtBox;
  begin: (turn: BoxTurn) => void;
}

export class BoxTurns {
  readonly #at = new Map<string, AtBox>();
  readonly #waiting = new Map<string, Waiting[]>();

  who(session: string): AtBox | undefined {
    return this.#at.get(session);
  }

  // Undefined while somebody is there.
  tryBegin(session: string, by: AtBox): BoxTurn | undefined {
    return this.#at.has(session) ? undefined : this.#begin(session, by);
  }

  // Waits for whoever is there; undefined where they are still there after `ms`.
  async begin(session: string, by: AtBox, ms: number): Promise<BoxTurn | undefined> {
    const turn = this.tryBegin(session, by);
    if (turn) return turn;
    return new Promise((resolve) => {
      const waiting: Waiting = { by, begin: resolve };
      this.#waiting.set(session, [...(this.#waiting.get(session) ?? []), waiting]);
      const timer = setTimeout(() => {
        this.#leave(session, waiting);
        resolve(undefined);
      }, ms);
      waiting.begin = (begun) => {
        clearTimeout(timer);
        resolve(begun);
      };
    });
  }

  #begin(session: string, by: AtBox): BoxTurn {
    this.#at.set(session, by);
    let isOver = false;
    return {
      end: () => {
        if (isOver) return;
        isOver = true;
        this.#at.delete(session);
        const [next] = this.#waiting.get(session) ?? [];
        if (!next) return;
        this.#leave(session, next);
        next.begin(this.#begin(session, next.by));
      },
    };
  }

  #leave(session: string, waiting: Waiting): void {
    const rest = (this.#waiting.get(session) ?? []).filter((one) => one !== waiting);
    if (rest.length > 0) this.#waiting.set(session, rest);
    else this.#waiting.delete(session);
  }
}
