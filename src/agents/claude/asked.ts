// What a Claude Code that keeps no registry has asked a person and was not answered yet, as its hooks tell.
// Several tools may run at once: the end of one says nothing about the question of another.
export class Asked {
  #open: string[] = [];

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  ask(question: Readonly<Record<string, unknown>>): void {
    this.#open.push(keyOf(question));
  }

  // A tool has run: if it was asked for, it was approved.
  ran(tool: Readonly<Record<string, unknown>>): void {
    const at = this.#open.indexOf(keyOf(tool));
    if (at >= 0) this.#open.splice(at, 1);
  }

  // The turn is over, and all its questions with it.
  clear(): void {
    this.#open = [];
  }
}

const keyOf = ({ tool_name, tool_input }: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([tool_name, tool_input]);
