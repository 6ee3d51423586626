// What Copilot asks a person. It tells an extension without a permission handler only that a question was answered; a question
// that is open can be looked up, and it comes shortly after the start of the tool that it is about.

// Seen 50 to 200 ms after the tool's start; later ones are for a slow machine.
const LOOKS_MS = [100, 300, 1000, 3000];
// These tools are questions themselves.
const QUESTIONS = new Set(['ask_user', 'exit_plan_mode']);

export class Asks {
  #pending;
  #tell;
  #tools = new Map();
  #permissions = new Set();
  #questions = new Set();

  // `pending`: the ids of the permissions that are asked for now. `tell`: what is waited for; null when nothing is.
  constructor(pending, tell) {
    this.#pending = pending;
    this.#tell = tell;
  }

  hear({ type, data }) {
    if (type === 'tool.execution_start') this.#started(data);
    else if (type === 'tool.execution_complete') this.#ended(data.toolCallId);
    else if (type === 'permission.completed') this.#answered(data.requestId);
    else if (type === 'session.idle') for (const id of [...this.#tools.keys()]) this.#ended(id);
  }

  // True when a permission is asked for.
  async look() {
    try {
      this.#permissions = new Set(await this.#pending());
    } catch {
      // Then what was known is still all that is known.
    }
    this.#report();
    return this.#permissions.size > 0;
  }

  #started({ toolCallId, toolName }) {
    if (QUESTIONS.has(toolName)) this.#questions.add(toolCallId);
    this.#tools.set(
      toolCallId,
      LOOKS_MS.map((ms) => setTimeout(() => void this.look(), ms)),
    );
    this.#report();
  }

  #ended(toolCallId) {
    for (const timer of this.#tools.get(toolCallId) ?? []) clearTimeout(timer);
    this.#tools.delete(toolCallId);
    this.#questions.delete(toolCallId);
    if (this.#tools.size === 0) this.#permissions.clear();
    this.#report();
  }

  #answered(requestId) {
    this.#permissions.delete(requestId);
    this.#report();
    void this.look();
  }

  #report() {
    if (this.#permissions.size > 0) this.#tell('permission');
    else this.#tell(this.#questions.size > 0 ? 'question' : null);
  }
}
