// Where nothing can listen, a daemon is started, and that says what is wrong with its home.
import { expect, test } from 'vitest';
import { Client } from '../api/client.js';
import { locateHome } from '../api/locate.js';
import { isAbsent } from './connect.js';
import { startDaemon } from './start-daemon.js';

test.each(['/dev/null', '/dev/null/below'])('a home at %s', async (folder) => {
  const home = locateHome({ SM_HOME: folder });
  const error = await new Client({ socket: home.socket }).status().catch((thrown: unknown) => thrown);
  expect(isAbsent(error)).toBe(true);
  await expect(startDaemon(home, import.meta.filename)).rejects.toThrow(
    new RegExp(`the home folder ${folder} cannot be used: .*; set SM_HOME to a folder of yours$`),
  );
});
