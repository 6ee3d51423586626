// Who can reach the dashboard: this machine alone, unless somebody opens it, which takes a password or a word that the
// token is to be used.
import { isIP } from 'node:net';
import type { Exposure } from '../api/types.js';
import { SessionError } from '../sessions/index.js';
import type { SignIns } from './sign-ins.js';

export interface GatewayDeps {
  signIns: Pick<SignIns, 'hasPassword'>;
  open: (host: string) => Promise<void>;
  port: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export const isLoopback = (host: string): boolean => host === '::1' || host.startsWith('127.');

export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #hosts = new Set(['127.0.0.1']);

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  get exposure(): Exposure {
    return { hosts: [...this.#hosts], port: this.#deps.port(), password: this.#deps.signIns.hasPassword };
  }

  async open(host: string, signIn: 'password' | 'token'): Promise<Exposure> {
    if (isIP(host) === 0)
      throw new SessionError('invalid', `${host} is no address`, {
        field: 'host',
        value: host,
        expected: 'an address of this machine, such as 0.0.0.0 for all of them',
      });
    if (!isLoopback(host) && signIn === 'password' && !this.#deps.signIns.hasPassword)
      throw new SessionError('conflict', NO_PASSWORD, { field: 'sign_in', value: signIn, expected: WAYS });
    if (this.#hosts.has(host)) return this.exposure;
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
    this.#hosts.add(host);
    this.#deps.log('the dashboard can be reached from outside', { host });
    return this.exposure;
  }
}

const WAYS = 'a password that is set with "sm dash --password", or sign_in "token" to use the token';
const NO_PASSWORD =
  'whoever reaches this address could try to sign in, and no password is set: set one with "sm dash --password", or ' +
  'say --token to sign in with the token of the home folder';
