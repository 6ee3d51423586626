// What OpenCode's server holds now, asked when the stream of its events begins.
import type { Client } from './client.js';
import { Asked, Message, Messages, States } from './wire.js';

// As far back as anything may wait.
const NEWEST = 40;
// Turns do not follow each other as fast as answers to us.
const MOST_TRIES = 3;

export interface Holds {
  // What a person is asked for.
  asked: readonly { id: string; detail: string }[];
  // Of one conversation.
  state: string;
  messages: readonly Message[];
}

const at = (conversation: string): string => `/session/${encodeURIComponent(conversation)}`;

export async function askAll(client: Client, conversation: string | undefined): Promise<Holds> {
  const permissions = (await client.get('/permission', Asked)) ?? [];
  const questions = (await client.get('/question', Asked)) ?? [];
  return {
    asked: [...permissions, ...questions].map(({ id, permission }) => ({
      id,
      detail: permission ?? 'question',
    })),
    ...(conversation ? await askTogether(client, conversation) : { state: 'idle', messages: [] }),
  };
}

// A turn may begin or end between two questions: then an answer that has just begun would be taken for one that has ended.
async function askTogether(client: Client, conversation: string): Promise<Pick<Holds, 'state' | 'messages'>> {
  let state = await askState(client, conversation);
  for (let tries = MOST_TRIES; ; tries--) {
    const messages = await askMessages(client, conversation);
    const after = await askState(client, conversation);
    if (after === state || tries === 0) return { state: after, messages };
    state = after;
  }
}

export const askMessages = async (client: Client, conversation: string): Promise<Message[]> =>
  (await client.get(`${at(conversation)}/message?limit=${NEWEST}`, Messages)) ?? [];

export const askAllMessages = async (client: Client, conversation: string): Promise<Message[]> =>
  (await client.get(`${at(conversation)}/message`, Messages)) ?? [];

export const askMessage = (client: Client, conversation: string, id: string): Promise<Message | undefined> =>
  client.get(`${at(conversation)}/message/${encodeURIComponent(id)}`, Message);

export const askIsIdle = async (client: Client, conversation: string): Promise<boolean> =>
  (await askState(client, conversation)) === 'idle';

async function askState(client: Client, conversation: string): Promise<string> {
  const states = (await client.get('/session/status', States)) ?? {};
  return states[conversation]?.type ?? 'idle';
}
