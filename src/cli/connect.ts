// The way to the daemon: over its socket, and started first if it does not run.
import { Client, NotRunning } from '../api/client.js';
import { type Home, locateHome } from '../api/locate.js';

export { ApiFailure, type Client, NotRunning } from '../api/client.js';

export const connect = (home: Home = locateHome()): Client => new Client({ socket: home.socket });

export const isAbsent = (error: unknown): boolean => error instanceof NotRunning && error.isAbsent;

// The connection ended after the request had gone out: nobody knows whether it was carried out.
export const brokeOff = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as { code?: string } | undefined)?.code ?? '');

// One request a call: it may be made twice.
export async function ask<T>(request: (client: Client) => Promise<T>): Promise<T> {
  const home = locateHome();
  const client = connect(home);
  try {
    return await request(client);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  await (await import('./start-daemon.js')).startDaemon(home);
  return request(client);
}
