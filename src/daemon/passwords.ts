// A password as it is kept: scrypt with a salt of its own. One is checked at a time, since each check costs memory.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

// 32 MB and about a tenth of a second, as OWASP advises for a sign-in.
const COST = { N: 2 ** 15, r: 8, p: 1 };
const LENGTH = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join(':');
}

export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [kind, N, r, p, salt = '', key = ''] = kept.split(':');
  if (kind !== 'scrypt') throw new Error(`a password is kept as "${kind}", which this version does not know`);
  const expected = Buffer.from(key, 'base64');
  const given = await derive(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

let turn: Promise<unknown> = Promise.resolve();

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  const result = turn.then(
    () =>
      new Promise<Buffer>((resolve, reject) =>
        // The same letters typed on another keyboard may come as other code points.
        scrypt(password.normalize('NFC'), salt, LENGTH, options, (error, key) =>
          error ? reject(error) : resolve(key),
        ),
      ),
  );
  turn = result.catch(() => {});
  return result;
}
