// What `sm pause` and `sm resume` have in common.
import { ask } from './connect.js';
import { say, sayJson } from './print.js';

export async function setPaused(ref: string | undefined, paused: boolean, json: boolean): Promise<undefined> {
  const word = paused ? 'paused' : 'on';
  if (ref === undefined) {
    const answer = await ask((client) => client.setPaused(paused));
    if (json) sayJson(answer);
    else say(`delivery is ${word} for all sessions`);
  } else {
    const session = await ask((client) => client.update(ref, { paused }));
    if (json) sayJson(session);
    else say(`delivery to ${session.name} is ${word}`);
  }
}
