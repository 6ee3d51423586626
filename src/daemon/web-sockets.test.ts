// Who is still there, and who is not.
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { Pulse } from './web-sockets.js';

class Peer extends EventEmitter {
  readonly left: (() => void)[] = [];
  readonly terminate = vi.fn();
  readonly ping = vi.fn((_: unknown, __: unknown, left: () => void) => void this.left.push(left));
}
const meet = (): { peer: Peer; pulse: Pulse } => {
  const peer = new Peer();
  return { peer, pulse: new Pulse(peer as unknown as WebSocket) };
};

test('one that answers is asked again and again', () => {
  const { peer, pulse } = meet();
  for (let n = 0; n < 3; n++) {
    pulse.beat();
    peer.left.shift()?.();
    peer.emit('pong');
  }
  expect([peer.ping.mock.calls.length, peer.terminate.mock.calls.length]).toEqual([3, 0]);
});

test('one that has the ping and does not answer it is there no more', () => {
  const { peer, pulse } = meet();
  pulse.beat();
  peer.left.shift()?.();
  expect(peer.terminate).not.toHaveBeenCalled();
  pulse.beat();
  expect(peer.terminate).toHaveBeenCalledOnce();
});

test('one that the ping has not left for, since it reads slowly, has time to read and to answer', () => {
  const { peer, pulse } = meet();
  pulse.beat();
  for (let n = 0; n < 10; n++) pulse.beat();
  expect(peer.terminate).not.toHaveBeenCalled();
  peer.left.shift()?.();
  pulse.beat();
  expect(peer.terminate).not.toHaveBeenCalled();
  peer.emit('pong');
  pulse.beat();
  expect([peer.ping.mock.calls.length, peer.terminate.mock.calls.length]).toEqual([2, 0]);
});

test('one that reads nothing at all is not waited for without end', () => {
  const { peer, pulse } = meet();
  for (let n = 0; n < 30; n++) pulse.beat();
  expect(peer.terminate).toHaveBeenCalled();
});
