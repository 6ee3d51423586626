// What a hook of Claude Code says of its state and its turns.
import type { HookEvent } from '../door.js';
import type { State } from './state.js';
import type { Turns } from './turns.js';

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function heard({ event, at, body }: HookEvent, state: State, turns: Turns): void {
  const turn = text(body.prompt_id) ?? null;
  switch (event) {
    case 'SessionStart':
      // It also comes in the middle of a turn, when the conversation was made shorter.
      if (text(body.source) === 'compact') break;
      state.rest(at);
      turns.idle();
      break;
    case 'UserPromptSubmit':
      state.work(at);
      turns.begin(turn, at);
      break;
    case 'PostToolUse':
      state.asked.ran(body);
      // One that ran in the background may end after its turn.
      if (turns.mayRun(turn)) state.work(at);
      break;
    case 'PermissionRequest':
      state.asked.ask(body);
      state.report('waiting', at, text(body.tool_name) ?? 'permission');
      break;
    case 'Notification':
      if (text(body.notification_type) === 'permission_prompt') state.report('waiting', at, 'permission');
      // For a minute it has done nothing, whatever was heard before.
      if (text(body.notification_type) === 'idle_prompt') {
        state.rest(at);
        turns.idle();
      }
      break;
    case 'Stop':
      state.rest(at);
      turns.stopped(turn, text(body.last_assistant_message) ?? null, {
        isBusy: state.status?.state === 'busy',
        at,
      });
      break;
    case 'SessionEnd':
      turns.settle();
      break;
  }
}

// Two clocks, of which one is set now and then.
const BEFORE_MS = 1000;

export interface Ours {
  // The conversation by its registry; else the one that was heard last.
  registered: string | undefined;
  last: string | undefined;
  // When its process began, where that is known.
  begunAt?: number | undefined;
}

// Undefined for a hook of another: a Claude Code inside a tool of this one has the same pane and a conversation of its own, and
// so had one that was in the pane before and whose hooks nobody has read.
export function ourConversation(
  { event, at, body }: HookEvent,
  { registered, last, begunAt = 0 }: Ours,
): string | undefined {
  const conversation = text(body.session_id);
  if (at < begunAt - BEFORE_MS) return undefined;
  if (registered !== undefined) return registered === conversation ? conversation : undefined;
  const isNext = event === 'SessionStart' && text(body.source) !== 'startup';
  return last === undefined || last === conversation || isNext ? conversation : undefined;
}
