// Does the same with several messages: each is tried, whatever became of those before it.
import type { Client } from '../api/client.js';
import type { Message } from '../api/types.js';
import { ApiFailure, ask } from './connect.js';
import { EXIT } from './errors.js';
import { messageId } from './message-id.js';
import { say, sayJson } from './print.js';

// The exit code is the highest of theirs.
export async function eachMessage(
  refs: readonly string[],
  { json }: { json: boolean },
  work: (client: Client, id: string) => Promise<Message>,
  told: (message: Message) => string,
): Promise<number> {
  const done: Message[] = [];
  let worst: number = EXIT.ok;
  for (const ref of refs) {
    try {
      const message = await ask((client) => work(client, messageId(ref)));
      done.push(message);
      if (!json) say(told(message));
    } catch (error) {
      // Without a daemon the others would fail in the same way.
      if (!(error instanceof ApiFailure)) throw error;
      worst = Math.max(worst, await (await import('./report.js')).report(error));
    }
  }
  // An error alone is never an answer.
  if (json && done.length) sayJson(done);
  return worst;
}
