// The daemon's events as they come: each is told at once, and can be waited for with a deadline.
import type { FeedEvent, FeedMessage, MessageEvent } from '../../api/types.js';
import type { Client } from '../connect.js';

export interface MailEvent {
  message: FeedMessage;
  event: MessageEvent;
}

export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

const DEADLINE_MS = 20_000;

export class Watch {
  readonly #seen: MailEvent[] = [];
  readonly #listeners = new Set<() => void>();
  #connected = false;

  constructor(
    readonly client: Client,
    readonly tell: (event: MailEvent) => void,
  ) {
    // It ends with the daemon; a stream that ends too early shows in what is then waited for in vain.
    this.#follow().catch(() => {});
  }

  async #follow(): Promise<void> {
    for await (const { event } of this.client.events()) this.#take(event);
  }

  #take(event: FeedEvent): void {
    this.#connected = true;
    if (event.type === 'message') {
      this.#seen.push(event);
      this.tell(event);
    }
    for (const look of [...this.#listeners]) look();
  }

  // Any event proves that the stream is open and that none to come will be missed.
  connected(): Promise<true> {
    return this.#until(() => this.#connected || undefined, 'the stream of events did not open');
  }

  // The first event that has come, or comes, for which `isIt` holds.
  mail(isIt: (event: MailEvent) => boolean, what: string): Promise<MailEvent> {
    return this.#until(() => this.#seen.find(isIt), `not seen within ${DEADLINE_MS / 1000} s: ${what}`);
  }

  receipt(id: string, kind: 'typed' | 'submitted'): Promise<MailEvent> {
    return this.mail(
      ({ message, event }) => message.id === id && event.kind === kind,
      `message #${id} ${kind}`,
    );
  }

  #until<T>(look: () => T | undefined, otherwise: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(new DemoFailure(otherwise))), DEADLINE_MS);
      const listener = (): void => {
        const found = look();
        if (found !== undefined) finish(() => resolve(found));
      };
      this.#listeners.add(listener);
      listener();
    });
  }
}

// Looks at a session's screen after each output of it, until `isIt` holds.
export async function screenWhen(
  client: Client,
  session: string,
  isIt: (rows: string) => boolean,
): Promise<string> {
  const output = await client.output(session, { follow: true, lines: 1 });
  const timer = setTimeout(() => output.destroy(), DEADLINE_MS);
  try {
    for await (const _ of output) {
      const rows = await screen(client, session);
      if (isIt(rows)) return rows;
    }
  } catch {
    // The deadline; told below.
  } finally {
    clearTimeout(timer);
  }
  throw new DemoFailure(
    `${session} did not show what was expected; its screen:\n${await screen(client, session)}`,
  );
}

const ROWS = 8;

export async function screen(client: Client, session: string, rows = ROWS): Promise<string> {
  let text = '';
  const output = await client.output(session, { lines: rows });
  output.setEncoding('utf8');
  for await (const chunk of output) text += chunk as string;
  return text;
}
