// Who can reach the dashboard: this machine alone, unless somebody opens it, which takes a password or a word that the
// token is to be used.
import { isIP } from 'node:net';
import type { Exposure } from '../api/types.js';
import { SessionError } from '../sessions/index.js';
import type { SignIns } from './sign-ins.js';

export interface GatewayDeps {
  signIns: Pick<SignIns, 'hasPassword'>;
  open: (host: string) => Promise<void>;
  shut: (host: string) => Promise<void>;
  port: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

const HERE = '127.0.0.1';

export const isLoopback = (host: string): boolean => host === '::1' || host.startsWith('127.');

export class Gateway {
  readonly #deps: GatewayDeps;
  // Beside that of this machine, each with what people there are to sign in with.
  readonly #hosts = new Map<string, 'password' | 'token'>();

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  get exposure(): Exposure {
    return {
      hosts: [HERE, ...this.#hosts.keys()],
      port: this.#deps.port(),
      password: this.#deps.signIns.hasPassword,
    };
  }

  // At the address of this machine alone, where that is asked for.
  async open(host: string, signIn: 'password' | 'token'): Promise<Exposure> {
    if (isIP(host) === 0)
      throw new SessionError('invalid', `${host} is no address`, {
        field: 'host',
        value: host,
        expected: 'an address of this machine, such as 0.0.0.0 for all of them',
      });
    if (host === HERE) {
      await this.#shut([...this.#hosts.keys()]);
      return this.exposure;
    }
    this.#requirePassword(host, signIn);
    if (!this.#hosts.has(host)) await this.#open(host);
    this.#hosts.set(host, signIn);
    // Removed while that went on.
    if (!this.#deps.signIns.hasPassword) await this.passwordRemoved();
    this.#requirePassword(host, signIn);
    return this.exposure;
  }

  // Where people were to sign in with it they cannot come in any more, and nobody else is to.
  async passwordRemoved(): Promise<void> {
    const hosts = [...this.#hosts].filter(([host, signIn]) => signIn === 'password' && !isLoopback(host));
    await this.#shut(hosts.map(([host]) => host));
  }

  async #shut(hosts: readonly string[]): Promise<void> {
    for (const host of hosts) {
      this.#hosts.delete(host);
      await this.#deps.shut(host);
      this.#deps.log('the dashboard can no longer be reached there', { host });
    }
  }

  #requirePassword(host: string, signIn: 'password' | 'token'): void {
    if (isLoopback(host) || signIn === 'token' || this.#deps.signIns.hasPassword) return;
    throw new SessionError('conflict', NO_PASSWORD, { field: 'sign_in', value: signIn, expected: WAYS });
  }

  async #open(host: string): Promise<void> {
    try {
      await this.#deps.open(host);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code === 'EADDRNOTAVAIL' ? 'this machine does not have it' : message;
      throw new SessionError('conflict', `cannot listen at ${host}: ${why}`, {
        field: 'host',
        value: host,
        expected: 'an address of this machine, such as 0.0.0.0 for all of them',
      });
    }
    this.#deps.log('the dashboard can be reached from outside', { host });
  }
}

const WAYS = 'a password that is set with "sm dash --password", or sign_in "token" to use the token';
const NO_PASSWORD =
  'whoever reaches this address could try to sign in, and no password is set: set one with "sm dash --password", or ' +
  'say --token to sign in with the token of the home folder';
