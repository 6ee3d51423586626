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
  settleSignIn,
} from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { hashPassword, isPassword } from './passwords.js';

export const LINK_MS = 60_000;
export const SIGN_IN_MS = 30 * 24 * 3_600_000;
// A secret that is older gets a successor when its browser next asks. The one before counts until the browser is seen to
// have the other, since an answer can be lost; then for a moment more, for requests under way.
export const RENEW_MS = 24 * 3_600_000;
export const OVERLAP_MS = 60_000;
const MOST_LINKS = 100;
const PASSWORD = 'password';

export interface Given {
  secret: string;
  expiresAt: number;
  // Its browser came over https.
  secure: boolean;
}

interface Kept extends SignInRow {
  previousUntil: number;
}

export class SignIns {
  readonly #rows = new Map<string, Kept>();
  // Hash of each link's code, and when it ends.
  readonly #links = new Map<string, number>();
  readonly #ended = new Emitter<string>();
  // Somebody is signed out.
  readonly onEnd = this.#ended.event;
  readonly #store: Store;
  readonly #clock: () => number;
  #password: string;
  #generation = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
    for (const row of readSignIns(store))
      this.#rows.set(row.id, { ...row, previousUntil: Number.POSITIVE_INFINITY });
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

  // Another number whenever everybody was signed out.
  get generation(): number {
    return this.#generation;
  }

  // Undefined: everybody was signed out since that generation, and with them whoever was about to come in.
  begin({ secure, since }: { secure: boolean; since?: number | undefined }): Promise<Given | undefined> {
    return this.#alone(async () => {
      if (since !== undefined && since !== this.#generation) return undefined;
      return this.#put({
        id: randomBytes(8).toString('hex'),
        previous_hash: null,
        secure: secure ? 1 : 0,
        created_at: this.#clock(),
      });
    });
  }

  // Of whichever secret it has by now.
  idOf(secret: string): string | undefined {
    return this.#find(secret)?.id;
  }

  holds(secret: string): boolean {
    return this.idOf(secret) !== undefined;
  }

  // A new secret where the old one is due; undefined where it stays.
  renewed(secret: string): Promise<Given | undefined> {
    return this.#alone(async () => {
      const row = this.#find(secret);
      // Who still comes with the one before may be about to get its successor; a day later it has not come.
      if (!row || this.#clock() < row.renewed_at + RENEW_MS) return undefined;
      const { id, secure, created_at } = row;
      return this.#put({ id, previous_hash: hashOf(secret), secure, created_at });
    });
  }

  end(secret: string): Promise<void> {
    return this.#alone(async () => {
      const row = this.#find(secret);
      if (!row) return;
      this.#rows.delete(row.id);
      await this.#store.write([dropSignIn(row.id)]);
      this.#ended.fire(row.id);
    });
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
    await this.#alone(async () => {
      await this.#store.write([metaStep(PASSWORD, kept), dropAllSignIns]);
      this.#password = kept;
      this.#generation++;
      const ended = [...this.#rows.keys()];
      this.#rows.clear();
      this.#links.clear();
      for (const id of ended) this.#ended.fire(id);
    });
  }

  // One change at a time: none brings back what another has just ended.
  #alone<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #put(row: Pick<SignInRow, 'id' | 'previous_hash' | 'secure' | 'created_at'>): Promise<Given> {
    const now = this.#clock();
    const secret = newSecret();
    const next = {
      ...row,
      hash: hashOf(secret),
      renewed_at: now,
      expires_at: now + SIGN_IN_MS,
      previousUntil: Number.POSITIVE_INFINITY,
    };
    await this.#store.write([purgeSignIns(now), putSignIn(next)]);
    for (const [id, { expires_at }] of this.#rows) if (expires_at <= now) this.#rows.delete(id);
    this.#rows.set(next.id, next);
    return { secret, expiresAt: next.expires_at, secure: next.secure === 1 };
  }

  #find(secret: string): Kept | undefined {
    const hash = hashOf(secret);
    const now = this.#clock();
    for (const row of this.#rows.values()) {
      if (row.expires_at <= now) continue;
      if (row.hash === hash) {
        this.#seen(row, now);
        return row;
      }
      if (row.previous_hash === hash && now < row.previousUntil) return row;
    }
    return undefined;
  }

  #seen(row: Kept, now: number): void {
    if (row.previous_hash === null || row.previousUntil <= now + OVERLAP_MS) return;
    row.previousUntil = now + OVERLAP_MS;
    // Where the disk takes nothing, it is seen again.
    this.#store.write([settleSignIn(row.id, row.hash)]).catch(() => {});
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');
// What is compared are hashes of 256 random bits: how long a comparison takes tells nothing of the secret.
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
