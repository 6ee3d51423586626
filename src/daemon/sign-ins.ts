// Who is signed in to the dashboard: one-time links, and the secrets that browsers hold, of which only hashes are kept.
import { createHash, randomBytes } from 'node:crypto';
import {
  dropAllSignIns,
  dropSignIn,
  metaStep,
  purgeSignIns,
  putSignIn,
  readMeta,
  readSignIns,
  type SignInRow,
  type Store,
} from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { hashPassword, isPassword } from './passwords.js';

export const LINK_MS = 60_000;
export const SIGN_IN_MS = 30 * 24 * 3_600_000;
// A secret that is older gets a successor when its browser next asks; the one before counts for a moment more.
export const RENEW_MS = 24 * 3_600_000;
const OVERLAP_MS = 60_000;
const MOST_LINKS = 100;
const PASSWORD = 'password';

export interface Given {
  secret: string;
  expiresAt: number;
}

export class SignIns {
  readonly #rows = new Map<string, SignInRow>();
  // Hash of each link's code, and when it ends.
  readonly #links = new Map<string, number>();
  readonly #ended = new Emitter<string>();
  // Somebody is signed out.
  readonly onEnd = this.#ended.event;
  readonly #store: Store;
  readonly #clock: () => number;
  #password: string;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
    for (const row of readSignIns(store)) this.#rows.set(row.id, row);
    this.#password = readMeta(store.read, PASSWORD) ?? '';
  }

  makeLink(): { code: string; expiresAt: number } {
    const now = this.#clock();
    for (const [hash, endsAt] of this.#links) if (endsAt <= now) this.#links.delete(hash);
    const [oldest] = this.#links.keys();
    if (this.#links.size >= MOST_LINKS && oldest !== undefined) this.#links.delete(oldest);
    const code = newSecret();
    this.#links.set(hashOf(code), now + LINK_MS);
    return { code, expiresAt: now + LINK_MS };
  }

  // Counts once, whatever becomes of it.
  takeCode(code: string): boolean {
    const hash = hashOf(code);
    const endsAt = this.#links.get(hash);
    this.#links.delete(hash);
    return endsAt !== undefined && endsAt > this.#clock();
  }

  async begin(): Promise<Given> {
    const now = this.#clock();
    return this.#put({ id: randomBytes(8).toString('hex'), previous_hash: null, created_at: now });
  }

  // Of whichever secret it has by now.
  idOf(secret: string): string | undefined {
    return this.#find(secret)?.id;
  }

  holds(secret: string): boolean {
    return this.idOf(secret) !== undefined;
  }

  // A new secret where the old one is due; undefined where it stays.
  async renewed(secret: string): Promise<Given | undefined> {
    const row = this.#find(secret);
    // Who comes with the one before has been given its successor already.
    if (!row || row.hash !== hashOf(secret) || this.#clock() < row.renewed_at + RENEW_MS) return undefined;
    return this.#put({ id: row.id, previous_hash: row.hash, created_at: row.created_at });
  }

  async end(secret: string): Promise<void> {
    const row = this.#find(secret);
    if (!row) return;
    this.#rows.delete(row.id);
    await this.#store.write([dropSignIn(row.id)]);
    this.#ended.fire(row.id);
  }

  get hasPassword(): boolean {
    return this.#password !== '';
  }

  async isPassword(password: string): Promise<boolean> {
    return this.hasPassword && (await isPassword(password, this.#password));
  }

  // Whoever is signed in is so no more. Undefined: none counts.
  async setPassword(password: string | undefined): Promise<void> {
    const kept = password === undefined ? '' : await hashPassword(password);
    await this.#store.write([metaStep(PASSWORD, kept), dropAllSignIns]);
    this.#password = kept;
    const ended = [...this.#rows.keys()];
    this.#rows.clear();
    this.#links.clear();
    for (const id of ended) this.#ended.fire(id);
  }

  async #put(row: Pick<SignInRow, 'id' | 'previous_hash' | 'created_at'>): Promise<Given> {
    const now = this.#clock();
    const secret = newSecret();
    const next = { ...row, hash: hashOf(secret), renewed_at: now, expires_at: now + SIGN_IN_MS };
    await this.#store.write([purgeSignIns(now), putSignIn(next)]);
    for (const [id, { expires_at }] of this.#rows) if (expires_at <= now) this.#rows.delete(id);
    this.#rows.set(next.id, next);
    return { secret, expiresAt: next.expires_at };
  }

  #find(secret: string): SignInRow | undefined {
    const hash = hashOf(secret);
    const now = this.#clock();
    for (const row of this.#rows.values()) {
      if (row.expires_at <= now) continue;
      if (row.hash === hash) return row;
      if (row.previous_hash === hash && now < row.renewed_at + OVERLAP_MS) return row;
    }
    return undefined;
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');
// What is compared are hashes of 256 random bits: how long a comparison takes tells nothing of the secret.
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
