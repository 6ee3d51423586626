// Tells the user's own webhooks of mail to a person: signed, in order, tried again for a while, and logged when given up.
import { setTimeout as delay } from 'node:timers/promises';
import type { InboxRow } from '../store/index.js';
import type { Webhook } from './config.js';
import { hookName, postWebhook } from './webhook-post.js';

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
      this.deps.log('webhook given up', { to: hookName(hook), item, reason: `${line.waiting} wait already` });
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
    const { backOffMs = BACK_OFF_MS, timeoutMs, log } = this.deps;
    const ended = this.#ended.signal;
    const details = { to: hookName(hook), item };
    for (let tries = 1; ; tries++) {
      const reason = ended.aborted
        ? 'the daemon stops'
        : await postWebhook(hook, item, body, { ended, timeoutMs });
      if (reason === undefined) return;
      const wait = backOffMs[tries - 1];
      if (wait === undefined || ended.aborted) {
        log('webhook given up', { ...details, tries, reason });
        return;
      }
      log('webhook failed', { ...details, tries, reason, again_in_ms: wait });
      await delay(wait, undefined, { ref: false, signal: ended }).catch(() => {});
    }
  }
}
