// What a tool is: a name, what it takes, and what it does. What it takes is described once, for the model and for the check.
import type { z } from 'zod';
import type { Desk } from './desk.js';

export interface Tool {
  name: string;
  title: string;
  // Written for a model that decides whether to call it.
  description: string;
  input: z.ZodObject;
  // Hints for clients that ask their user before some calls.
  effect: Effect;
  run(input: never, desk: Desk): Promise<object>;
}

// `reads`: changes nothing. `sends`: others hear of it, each time anew.
export type Effect = 'reads' | 'sends';

export const defineTool = <I extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & { input: I; run(input: z.output<I>, desk: Desk): Promise<object> },
): Tool => tool as unknown as Tool;
