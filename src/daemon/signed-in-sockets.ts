// Whatever is open because a cookie let it in ends with that sign-in: WebSockets, and answers that go on; what a token let
// in stays.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { cookieOf, type Via } from './auth.js';
import type { Upgrades } from './listen.js';
import type { SignIns } from './sign-ins.js';

type Open = Pick<Duplex | ServerResponse, 'destroy' | 'once'>;

export class SignedInSockets implements Upgrades {
  readonly #open = new Map<string, Set<Open>>();

  constructor(
    readonly inner: Upgrades,
    readonly signIns: Pick<SignIns, 'idOf' | 'onEnd'>,
  ) {
    signIns.onEnd((id) => {
      for (const each of this.#open.get(id) ?? []) each.destroy();
    });
  }

  upgrade(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#keep(via, request, socket);
    this.inner.upgrade(via, request, socket, head);
  }

  // Until it is answered: the connection may serve others after that, where a proxy made it. What changes something is soon
  // over, and the answer to a sign-out has to arrive.
  asked(via: Via, request: IncomingMessage, answer: ServerResponse): void {
    if (request.method === 'GET') this.#keep(via, request, answer);
  }

  #keep(via: Via, { headers: { authorization, cookie } }: IncomingMessage, one: Open): void {
    const id = authorization === undefined ? this.signIns.idOf(cookieOf(via, cookie)) : undefined;
    if (id === undefined) return;
    const all = this.#open.get(id) ?? new Set();
    this.#open.set(id, all.add(one));
    one.once('close', () => {
      all.delete(one);
      if (all.size === 0 && this.#open.get(id) === all) this.#open.delete(id);
    });
  }

  close(): void {
    this.inner.close();
  }
}
