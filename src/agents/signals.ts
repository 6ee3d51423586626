// What an agent's door and hooks tell that is a signal, as data: facts of the program, never the words of its model.

export interface AgentSignals {
  // The signal of an agent that waits for a person, at a dialog or a question, as its door or its hooks tell it.
  waiting?: string;
  hooks?: readonly HookSignal[];
  // The conversation that a hook is about, and the fact of the session's door that must be the same: an agent inside a tool of
  // this one has the same pane.
  conversation?: { field: string; fact: string };
}

export interface HookSignal {
  event: string;
  // Only where this field of what the hook was given is that.
  where?: { field: string; is: string };
  state: string;
  // The field that says more.
  message: string;
  // Tells only that nothing goes on: it does not replace what the agent has asked for since it last began to work.
  weak?: true;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

// The signal that a hook is; undefined for most.
export const hookSignal = (
  { hooks = [], conversation }: AgentSignals,
  event: string,
  body: Readonly<Record<string, unknown>>,
  facts: Readonly<Record<string, string>>,
): { state: string; message: string; weak: boolean } | undefined => {
  const found = hooks.find(
    (hook) => hook.event === event && (!hook.where || body[hook.where.field] === hook.where.is),
  );
  if (!found || (conversation && body[conversation.field] !== facts[conversation.fact])) return undefined;
  return { state: found.state, message: text(body[found.message]), weak: found.weak ?? false };
};
