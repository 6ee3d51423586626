// What a hook of Claude Code says of its state and its turns.
import type { HookEvent } from '../door.js';
import type { State } from './state.js';
import type { Turns } from './turns.js';

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

// Whether a prompt began a turn; `false` for what is no prompt.
export function heard({ event, at, body }: HookEvent, state: State, turns: Turns): boolean {
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
      return turns.begin(turn);
    case 'PostToolUse':
      state.asked.ran(body);
      state.work(at);
      break;
    case 'PermissionRequest':
      state.asked.ask(body);
      state.report('waiting', at, text(body.tool_name) ?? 'permission');
      break;
    case 'Notification':
      if (text(body.notification_type) === 'permission_prompt') state.report('waiting', at, 'permission');
      break;
    case 'Stop':
      state.rest(at);
      turns.stopped(turn, text(body.last_assistant_message) ?? null, state.status?.state === 'busy');
      break;
    case 'SessionEnd':
      turns.settle();
      break;
  }
  return false;
}
