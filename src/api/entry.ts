// What `suremail/client` exports: the client, its errors, every type of the contract, and where a daemon lives.
export { ApiFailure, Client, NotRunning, type Transport } from './client.js';
export { type Home, locateHome } from './locate.js';
export { type From, senderFrom } from './sender.js';
export type * from './types.js';
