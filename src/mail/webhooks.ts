// Tells the user's own webhooks of mail to a person: signed, in order, tried again for a while, and logged when given up.
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { InboxRow } from '../store/index.js';
import type { Webhook } from './config.js';

export interface WebhooksDeps {
  // Read for each mail: the configuration may change.
  hooks: () => readonly Webhook[];
  // How the mail stands in the body.
  present: (row: InboxRow) => unknown;
  // How long is waited before each further try.
  backOffMs?: readonly number[];
  timeoutMs?: number;
  log: (message: string, details: Record<string, unknown>) => void;
}

const BACK_OFF_MS: readonly number[] = [1000, 2000, 4000, 8000, 16_000];
const TIMEOUT_MS = 10_000;
// One that does not answer keeps no more than this waiting.
const MOST_WAITING = 1000;

interface Line {
  waiting: number;
  last: Promise<void>;
}

export class Webhooks {
  // One after another for each address.
  readonly #lines = new Map<string, Line>();
  readonly #ended = new AbortController();

  constructor(readonly deps: WebhooksDeps) {}

  // Resolves when each has taken it or was given up.
  async tell(row: InboxRow): Promise<void> {
    const hooks = this.deps.hooks();
    if (hooks.length === 0) return;
    const body = JSON.stringify({ type: 'inbox', item: this.deps.present(row) });
    await Promise.all(hooks.map((hook) => this.#queue(hook, row.id, body)));
  }

  dispose(): void {
    this.#ended.abort();
  }

  #queue(hook: Webhook, item: string, body: string): Promise<void> {
    const line = this.#lines.get(hook.url) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting >= MOST_WAITING) {
      this.deps.log('webhook given up', { to: nameOf(hook), item, reason: `${line.waiting} wait already` });
      return Promise.resolve();
    }
    line.waiting++;
    line.last = line.last
      .then(() => this.#deliver(hook, item, body))
      .finally(() => {
        if (--line.waiting === 0) this.#lines.delete(hook.url);
      });
    this.#lines.set(hook.url, line);
    return line.last;
  }

  async #deliver(hook: Webhook, item: string, body: string): Promise<void> {
    const { backOffMs = BACK_OFF_MS, log } = this.deps;
    const details = { to: nameOf(hook), item };
    for (let tries = 1; ; tries++) {
      const reason = this.#ended.signal.aborted ? 'the daemon stops' : await this.#post(hook, item, body);
      if (reason === undefined) return;
      const wait = backOffMs[tries - 1];
      if (wait === undefined || this.#ended.signal.aborted) {
        log('webhook given up', { ...details, tries, reason });
        return;
      }
      log('webhook failed', { ...details, tries, reason, again_in_ms: wait });
      await delay(wait, undefined, { ref: false, signal: this.#ended.signal }).catch(() => {});
    }
  }

  // Undefined when it was taken, else why not.
  async #post({ url, secret }: Webhook, item: string, body: string): Promise<string | undefined> {
    const { timeoutMs = TIMEOUT_MS } = this.deps;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        // Where a redirect leads is not what the user has configured.
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#ended.signal]),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'suremail',
          // The same at every try, so that it can be told who gets it twice.
          'x-suremail-delivery': item,
          ...(secret === undefined ? {} : { 'x-suremail-signature': signature(secret, body) }),
        },
      });
      await response.body?.cancel();
      return response.ok ? undefined : `it answered ${response.status}`;
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
      // Never its message, which may hold the address.
      return cause?.code ?? name;
    }
  }
}

export const signature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

// The path of such an address is often a secret in itself.
const nameOf = ({ url }: Webhook): string => {
  try {
    return new URL(url).origin;
  } catch {
    return 'no valid address';
  }
};
