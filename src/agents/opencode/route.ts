// Whom an event of OpenCode concerns: the conversation on its screen, another one, or the person.
import { type Event, type Info, isAborted } from './wire.js';

export interface Hearer {
  // Of the conversation that is shown, and of any other.
  message(info: Info): unknown;
  elsewhere(info: Info): unknown;
  removed(message: string): unknown;
  text(message: string, text: string): unknown;
  state(type: string): unknown;
  aborted(): unknown;
  restedElsewhere(conversation: string): unknown;
  // Its screen was switched; a conversation was begun.
  selected(conversation: string): unknown;
  began(conversation: string): unknown;
  // A person is asked for something, and has decided.
  asked(id: string, detail: string): unknown;
  decided(id: string): unknown;
}

export function route({ type, properties }: Event, shown: string | undefined, to: Hearer): void {
  switch (type) {
    case 'message.updated':
      if (properties.info.sessionID === shown) to.message(properties.info);
      else to.elsewhere(properties.info);
      return;
    case 'message.removed':
      to.removed(properties.messageID);
      return;
    case 'message.part.updated': {
      const { part } = properties;
      if (part.type === 'text' && part.text) to.text(part.messageID, part.text);
      return;
    }
    case 'session.created':
      if (!properties.info.parentID) to.began(properties.info.id);
      return;
    case 'session.status':
      if (properties.sessionID === shown) to.state(properties.status.type);
      return;
    case 'session.idle':
      if (properties.sessionID === shown) to.state('idle');
      else to.restedElsewhere(properties.sessionID);
      return;
    case 'session.error':
      if (properties.sessionID === shown && isAborted(properties.error)) to.aborted();
      return;
    case 'tui.session.select':
      if (properties.sessionID !== shown) to.selected(properties.sessionID);
      return;
    case 'permission.asked':
      to.asked(properties.id, properties.permission ?? 'permission');
      return;
    case 'question.asked':
      to.asked(properties.id, 'question');
      return;
    default:
      to.decided(properties.requestID);
  }
}
