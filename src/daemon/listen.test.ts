// The port that a daemon is told to take.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type { Env } from './auth.js';
import { listen, portFrom } from './listen.js';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['0', 0],
  ['4748', 4748],
])('%j is %j', (text, port) => expect(portFrom(text)).toBe(port));

test.each(['abc', '-1', '65536', '80a', '1.5'])('%j is refused by name, with what would be right', (text) => {
  expect(() => portFrom(text)).toThrow(`SM_PORT "${text}": must be a port, a number from 0 to 65535`);
});

test('one that is in use is refused by name', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sml-'));
  const other = http.createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const none = { upgrade: () => {}, close: () => {} };
    await expect(listen(new OpenAPIHono<Env>(), none, path.join(folder, 's'), port)).rejects.toThrow(
      `SM_PORT "${port}": it is in use; must be a free port`,
    );
  } finally {
    other.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
