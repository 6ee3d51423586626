// The connection of a terminal: what is typed goes in portions or is known not to have gone, and a dead line is left behind.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LINE_DEAD } from '../api/feed.js';
import { MOST_AT_ONCE } from './portions.js';
import { TerminalSocket } from './terminal-socket.js';

class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];
  onopen: () => void = () => {};
  onmessage: (frame: { data: string }) => void = () => {};
  onclose: () => void = () => {};
  readyState = 0;
  readonly sent: Uint8Array[] = [];

  constructor() {
    FakeSocket.all.push(this);
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  send(data: Uint8Array): void {
    this.sent.push(data);
  }
  // As on a dead line: its end is long in coming.
  close(): void {}
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function opened(): { socket: TerminalSocket; heard: string[] } {
  const heard: string[] = [];
  const socket = new TerminalSocket('a', {
    paint: () => {},
    write: () => {},
    waiting: () => 0,
    resized: () => {},
    told: ({ type }) => heard.push(type),
    connected: (isConnected) => heard.push(isConnected ? 'on' : 'off'),
  });
  return { socket, heard };
}

test('what is typed is taken in portions; before there is a connection it is not taken, which is known', () => {
  const { socket } = opened();
  expect([socket.type('x'), socket.resize(80, 24)]).toEqual([false, false]);
  FakeSocket.all[0]?.open();
  expect(socket.type('y'.repeat(2 * MOST_AT_ONCE + 1))).toBe(true);
  expect(FakeSocket.all[0]?.sent.map(({ length }) => length)).toEqual([MOST_AT_ONCE, MOST_AT_ONCE, 1]);
});

test('a line that is known to be dead is left for another, and what it brings after all is not heard', () => {
  const { socket, heard } = opened();
  const [dead] = FakeSocket.all;
  dead?.open();
  window.dispatchEvent(new Event(LINE_DEAD));
  expect([FakeSocket.all.length, socket.type('x')]).toEqual([2, false]);
  FakeSocket.all[1]?.open();
  dead?.onmessage({ data: '{"type":"held","on":true}' });
  dead?.onclose();
  expect(heard).toEqual(['on', 'off', 'on']);
  socket.close();
  window.dispatchEvent(new Event(LINE_DEAD));
  expect(FakeSocket.all).toHaveLength(2);
});
