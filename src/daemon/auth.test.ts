// Who is let in: by Host, by Origin, by token or cookie, and for what.
import { describe, expect, test } from 'vitest';
import { type DoorkeeperOptions, doorkeeper, type Knock, type Purpose, type Via } from './auth.js';

const TCP: Via = { via: 'tcp', port: 4747, address: '127.0.0.1' };
const OPEN: Via = { ...TCP, address: '192.0.2.9', open: true };
const HERE = '127.0.0.1:4747';
const options: DoorkeeperOptions = {
  holds: (secret) => secret === 'mine',
  names: () => ['devbox.lan', 'devbox.lan:4747'],
};
const admit = doorkeeper('secret', options);
const code = (knock: Knock, purpose: Purpose = 'read', via: Via = TCP): string | undefined =>
  admit(via, { host: HERE, ...knock }, purpose)?.error.code;

const bearer = { authorization: 'Bearer secret' };
const cookie = { cookie: 'other=1; sm_session_4747=mine' };
const page = { ...cookie, origin: `http://${HERE}` };

describe('by Host', () => {
  test.each([
    ['127.0.0.1:4747', TCP, undefined],
    ['localhost:4747', TCP, undefined],
    ['[::1]:4747', TCP, undefined],
    ['devbox.lan', TCP, undefined],
    ['devbox.lan:4747', TCP, undefined],
    ['127.0.0.1:4748', TCP, 'foreign_host'],
    ['evil.example:4747', TCP, 'foreign_host'],
    ['evil.example:4747', OPEN, 'foreign_host'],
    // An address is no name that somebody could make lead here; but it is asked for only where it is listened to.
    ['192.168.1.5:4747', TCP, 'foreign_host'],
    ['192.168.1.5:4747', OPEN, undefined],
    ['[2001:db8::5]:4747', OPEN, undefined],
    ['192.168.1.5:80', OPEN, 'foreign_host'],
    ['192.168.1.5.evil.example:4747', OPEN, 'foreign_host'],
    ['', OPEN, 'foreign_host'],
  ] as const)('%s', (host, via, expected) => expect(code({ ...bearer, host }, 'read', via)).toBe(expected));

  test('also what is public is for those who know where they are', () => {
    expect(code({}, 'public')).toBeUndefined();
    expect(code({ host: 'evil.example' }, 'public')).toBe('foreign_host');
    expect(code({ origin: 'http://evil.example' }, 'public')).toBe('foreign_origin');
  });
});

describe('by token or cookie', () => {
  test.each<[string, Knock, Purpose, string | undefined]>([
    ['nothing', {}, 'read', 'unauthorized'],
    ['the token', bearer, 'change', undefined],
    ['a wrong token', { authorization: 'Bearer x' }, 'read', 'unauthorized'],
    ['a wrong token beside a right cookie', { ...cookie, authorization: 'Bearer x' }, 'read', 'unauthorized'],
    ['a cookie that reads', cookie, 'read', undefined],
    ['a wrong cookie', { cookie: 'sm_session_4747=other' }, 'read', 'unauthorized'],
    [
      'the cookie of another daemon of this machine',
      { cookie: 'sm_session_4748=mine' },
      'read',
      'unauthorized',
    ],
    ['no secret at all', { cookie: 'sm_session_4747=' }, 'read', 'unauthorized'],
    ['a cookie that changes something', { ...page, 'x-suremail': '1' }, 'change', undefined],
    ['without the header', page, 'change', 'forgery'],
    ['without the origin', { ...cookie, 'x-suremail': '1' }, 'change', 'foreign_origin'],
    ['a WebSocket of our page', page, 'connect', undefined],
    ['a WebSocket of no page', cookie, 'connect', 'foreign_origin'],
    [
      'a WebSocket of another page',
      { ...cookie, origin: 'http://evil.example' },
      'connect',
      'foreign_origin',
    ],
    ['a page over TLS', { ...page, origin: `https://${HERE}`, 'x-suremail': '1' }, 'change', undefined],
    ['a page without an origin of its own', { ...bearer, origin: 'null' }, 'read', 'foreign_origin'],
  ])('%s', (_, knock, purpose, expected) => expect(code(knock, purpose)).toBe(expected));
});

test('the socket is for its owner, and for no page', () => {
  expect(code({}, 'change', { via: 'socket' })).toBeUndefined();
  expect(code({ origin: `http://${HERE}` }, 'read', { via: 'socket' })).toBe('foreign_origin');
});
