// One event of an agent's hook: whose it is, as the hook saw it, and the hook's own JSON as it came.
import { z } from 'zod';

export interface HookEntry {
  agent: string;
  event: string;
  // As the hook's environment named them; a shell inside another session inherits the first.
  session: string | undefined;
  pane: { socket: string; server: number; pane: string } | undefined;
  at: number;
  body: Readonly<Record<string, unknown>>;
}

const Body = z.record(z.string(), z.unknown());
const HEAD = /^(\S+) (\S+) (\S+) (.*) (\d*) (%\d+|-)$/;

// Where the beginning of an entry says that it comes from: the same for all hooks of one agent.
export const originOf = (beginning: string): string =>
  (beginning.split('\n', 1)[0] ?? '').split(' ').slice(2).join(' ');

// How one ends that was written whole: no JSON has such a line.
export const END = '\n.\n';

// Undefined for what is not one.
export function parseEntry(whole: string, at: number): HookEntry | undefined {
  const text = whole.endsWith(END) ? whole.slice(0, -END.length) : whole;
  const end = text.indexOf('\n');
  const [, agent, event, session, socket, server, pane] = HEAD.exec(text.slice(0, Math.max(0, end))) ?? [];
  if (!agent || !event || !session || !pane) return undefined;
  const body = parseBody(text.slice(end + 1));
  if (!body) return undefined;
  return {
    agent,
    event,
    session: session === '-' ? undefined : session,
    pane: pane === '-' || !socket ? undefined : { socket, server: Number(server), pane },
    at,
    body,
  };
}

function parseBody(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    return Body.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
