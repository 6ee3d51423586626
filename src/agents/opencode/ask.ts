// What OpenCode's server holds now, asked when the stream of its events begins.
import type { Client } from './client.js';
import { Asked, Message, Messages, States } from './wire.js';

// As far back as anything may wait.
const NEWEST = 40;

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
  const states = (await client.get('/session/status', States)) ?? {};
  return {
    asked: [...permissions, ...questions].map(({ id, permission }) => ({
      id,
      detail: permission ?? 'question',
    })),
    state: (conversation && states[conversation]?.type) || 'idle',
    messages: conversation ? await askMessages(client, conversation) : [],
  };
}

export const askMessages = async (client: Client, conversation: string): Promise<Message[]> =>
  (await client.get(`${at(conversation)}/message?limit=${NEWEST}`, Messages)) ?? [];

export const askMessage = (client: Client, conversation: string, id: string): Promise<Message | undefined> =>
  client.get(`${at(conversation)}/message/${encodeURIComponent(id)}`, Message);

export async function askIsIdle(client: Client, conversation: string): Promise<boolean> {
  const states = (await client.get('/session/status', States)) ?? {};
  return (states[conversation]?.type ?? 'idle') === 'idle';
}
