// What a machine that has no room for a client does to the others.
import { expect, test } from 'vitest';
import { TmuxServer } from './server.js';
import { LocalTransport } from './transport.js';

class FullTransport extends LocalTransport {
  #ask = (): void => {};
  readonly asked = new Promise<void>((resolve) => {
    this.#ask = resolve;
  });

  // One connection more takes long.
  override room(): Promise<boolean> {
    this.#ask();
    return new Promise(() => {});
  }
}

test('a client that waits for room keeps nobody from their turn', async () => {
  const transport = new FullTransport();
  const server = new TmuxServer({ kind: 'name', name: 'none' }, transport);
  const lease = server.lease('$0');
  await transport.asked;
  expect(await server.alone(async () => 'mine')).toBe('mine');
  lease.dispose();
});
