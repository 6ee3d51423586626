// What the API answers where the disk has no room.
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { DiskFull } from '../store/index.js';
import { answerError } from './errors.js';

async function answerTo(error: Error): Promise<{ status: number; json: unknown }> {
  const app = new Hono();
  app.onError((thrown, c) => answerError(thrown, c, () => {}));
  app.get('/', () => {
    throw error;
  });
  const response = await app.request('/');
  return { status: response.status, json: await response.json() };
}

test('a full disk is named, with the folder or the file', async () => {
  expect(await answerTo(new DiskFull('/home/x'))).toEqual({
    status: 507,
    json: {
      error: {
        code: 'disk_full',
        message: 'the disk is full: nothing was stored; make room where /home/x is',
      },
    },
  });
  const noSpace = Object.assign(new Error("ENOSPC: no space left on device, open '/home/x/f'"), {
    code: 'ENOSPC',
  });
  expect(await answerTo(noSpace)).toMatchObject({
    status: 507,
    json: { error: { code: 'disk_full', message: expect.stringContaining('/home/x/f') } },
  });
});

test('what is not understood is not told, but logged', async () => {
  expect(await answerTo(new Error('inner'))).toMatchObject({
    status: 500,
    json: { error: { code: 'internal' } },
  });
});
