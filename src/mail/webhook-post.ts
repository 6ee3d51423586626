// One try at telling a webhook of the user: signed, bounded in time, and without its address in what is said of it.
import { createHmac } from 'node:crypto';
import type { Webhook } from './config.js';

const TIMEOUT_MS = 10_000;

export interface PostOptions {
  // Nothing is waited for any more.
  ended: AbortSignal;
  timeoutMs?: number | undefined;
}

// `item` is the same at every try, so that it can be told who gets it twice. Undefined when it was taken, else why not.
export async function postWebhook(
  { url, secret }: Webhook,
  item: string,
  body: string,
  { ended, timeoutMs = TIMEOUT_MS }: PostOptions,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      // Where a redirect leads is not what the user has configured.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ended]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'suremail',
        'x-suremail-delivery': item,
        ...(secret === undefined ? {} : { 'x-suremail-signature': signature(secret, body) }),
      },
    });
    await response.body?.cancel();
    return response.ok ? undefined : `it answered ${response.status}`;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: Cause };
    if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
    return causeOf(cause) ?? name;
  }
}

interface Cause {
  code?: string;
  message?: string;
  // Of a name with several addresses, one each.
  errors?: readonly Cause[];
}

// Never its message, which may hold the address.
function causeOf(cause: Cause | undefined): string | undefined {
  if (cause?.message === 'bad port') return 'no connection: fetch refuses its port, as browsers do';
  return cause?.code ?? cause?.errors?.find(({ code }) => code !== undefined)?.code;
}

export const signature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

// The path of such an address is often a secret in itself.
export const hookName = ({ url }: Pick<Webhook, 'url'>): string => {
  try {
    return new URL(url).origin;
  } catch {
    return 'no valid address';
  }
};
