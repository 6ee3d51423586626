// Whether one message stands in Claude Code's queue, by what the transcript says was put in and taken out.
import { z } from 'zod';
import { idsIn } from '../mark.js';

// Each line is of one entry. `popAll`: the person has taken it back into the box.
const Operation = z.object({
  type: z.literal('queue-operation'),
  operation: z.enum(['enqueue', 'dequeue', 'remove', 'popAll']),
  content: z.unknown().optional(),
});

export class Queue {
  #length = 0;
  #hasIt = false;

  constructor(readonly id: string) {}

  get hasIt(): boolean {
    return this.#hasIt;
  }

  // What is taken out is rarely named: it is out for certain once all are.
  next(line: string): void {
    const operation = parse(line);
    if (!operation) return;
    const isIt = idsIn(JSON.stringify(operation.content) ?? '').includes(this.id);
    if (operation.operation === 'enqueue') {
      this.#length += 1;
      this.#hasIt ||= isIt;
      return;
    }
    this.#length = Math.max(0, this.#length - 1);
    if (isIt || this.#length === 0) this.#hasIt = false;
  }
}

function parse(line: string): z.infer<typeof Operation> | undefined {
  if (!line.includes('"type":"queue-operation"')) return undefined;
  try {
    return Operation.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
