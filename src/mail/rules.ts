// What holds for a message that does not say so itself.
import type { MessageRow, Speaks, Surety } from '../store/index.js';

// Whose mail keeps its order: a session, or whoever sends under a name.
export const senderOf = ({
  sender_session,
  sender_name,
}: Pick<MessageRow, 'sender_session' | 'sender_name'>): string => sender_session ?? `name:${sender_name}`;

// What an agent says is a notice to another, where that one knows the difference; what a person says is a prompt.
export const speaksAs = ({ speaks, sender_session }: Pick<MessageRow, 'speaks' | 'sender_session'>): Speaks =>
  speaks ?? (sender_session === null ? 'prompt' : 'notice');

// A person would rather send a prompt again than have it done twice; an agent's mail carries its id, so its reader can tell.
// A command carries none.
export const suretyOf = ({
  surety,
  sender_session,
  command,
}: Pick<MessageRow, 'surety' | 'sender_session' | 'command'>): Surety =>
  surety ?? (sender_session === null || command === 1 ? 'at_most_once' : 'at_least_once');
