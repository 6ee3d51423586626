// What OpenSSH prints, as it was seen, and what a user is told.
import { expect, test } from 'vitest';
import { failureFrom } from './ssh-failure.js';

test.each([
  [
    'No ED25519 host key is known for [127.0.0.1]:22 and you have requested strict checking.\nHost key verification failed.\n',
    255,
    'host_key_unknown',
    /run "ssh me@box" once/,
  ],
  [
    '@@@@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@@@@@@@@\nHost key verification failed.\n',
    255,
    'host_key_changed',
    /find out why/,
  ],
  ['me@box: Permission denied (publickey).\n', 255, 'denied', /Permission denied \(publickey\)/],
  ['Received disconnect from 1.2.3.4 port 22:2: Too many authentication failures\n', 255, 'denied', /no key/],
  ['ssh: Could not resolve hostname box: Name or service not known\n', 255, 'unknown_name', /does not know/],
  ['ssh: connect to host box port 22: Connection refused\n', 255, 'unreachable', /Connection refused/],
  ['Timeout, server box not responding.\n', 255, 'unreachable', /not responding/],
  ['sh: exec: not found\n', 127, 'no_shell', /did not run/],
  ['', null, 'unreachable', /ended with a signal/],
] as const)('%j', (stderr, code, problem, message) => {
  const failure = failureFrom('me@box', stderr, code);
  expect(failure).toMatchObject({ problem, message: expect.stringMatching(message) });
  expect(failure.message).not.toContain('\n');
});
