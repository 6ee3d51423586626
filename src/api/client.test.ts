// What names nothing is no such thing; it never becomes another path.
import { expect, test } from 'vitest';
import { Client } from './client.js';

const client = new Client({ socket: '/nowhere/sm.sock' });

test.each<[string, string, (ref: string) => Promise<unknown>]>([
  ['session', 'session', client.session],
  ['kill', 'session', client.kill],
  ['update', 'session', (ref) => client.update(ref, { paused: true })],
  ['output', 'session', (ref) => client.output(ref, { follow: true })],
  ['message', 'message', client.message],
  ['cancel', 'message', client.cancel],
  ['wait', 'message', client.wait],
  ['draft', 'draft', client.draft],
  ['restoreDraft', 'draft', client.restoreDraft],
  ['waitForSession', 'session', client.waitForSession],
  ['children', 'session', client.children],
  ['changeGroup', 'group', (ref) => client.changeGroup(ref, {})],
  ['agent', 'agent', client.agent],
  ['hooks', 'agent', (ref) => client.hooks(ref, 'status', {})],
])('%s', async (_, field, ask) => {
  for (const value of ['', '.', '..'])
    await expect(ask(value)).rejects.toMatchObject({
      status: 404,
      detail: { code: 'not_found', message: `no such ${field}: "${value}"`, field, value },
    });
  // These are names: the daemon is asked.
  for (const value of ['a', '...', '.a', '/'])
    await expect(ask(value)).rejects.toMatchObject({ code: 'ENOENT' });
});
