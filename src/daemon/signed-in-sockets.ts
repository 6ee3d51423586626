// Connections that a cookie has let in end with its sign-in; those of a token stay.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { cookieOf, type Via } from './auth.js';
import type { Upgrades } from './listen.js';
import type { SignIns } from './sign-ins.js';

export class SignedInSockets implements Upgrades {
  readonly #open = new Map<string, Set<Duplex>>();

  constructor(
    readonly inner: Upgrades,
    readonly signIns: Pick<SignIns, 'idOf' | 'onEnd'>,
  ) {
    signIns.onEnd((id) => {
      for (const socket of this.#open.get(id) ?? []) socket.destroy();
    });
  }

  upgrade(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { authorization, cookie } = request.headers;
    const id = authorization === undefined ? this.signIns.idOf(cookieOf(cookie)) : undefined;
    if (id !== undefined) this.#keep(id, socket);
    this.inner.upgrade(via, request, socket, head);
  }

  #keep(id: string, socket: Duplex): void {
    const sockets = this.#open.get(id) ?? new Set();
    this.#open.set(id, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#open.get(id) === sockets) this.#open.delete(id);
    });
  }

  close(): void {
    this.inner.close();
  }
}
