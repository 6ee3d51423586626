// Puts a draft into an agent's box as a person does: pasted or typed, then arrow keys to where the caret shall be.
import type { Person } from '../../src/cli/demo/person.js';
import type { AgentDraft } from './agent-log.js';
import { until } from './tmux.js';
import type { TestAgent, World } from './world.js';

export const LEFT = '\x1b[D';

export interface Wanted {
  text: string;
  // Presses of Left from the end.
  back: number;
}

// Resolves with what the agent itself says that it holds. `typed`: the text is there already.
export async function fill(
  agent: TestAgent,
  person: Person,
  { text, back }: Wanted,
  way: 'paste' | 'typed' = 'paste',
): Promise<AgentDraft> {
  if (way === 'paste' && text !== '') person.paste(text);
  let seen: AgentDraft | undefined;
  const isThere = async (): Promise<boolean> => {
    seen = await agent.draft();
    return seen.text === text && seen.caret === text.length;
  };
  await until(isThere, 'the draft to be in the box', 5000).catch(() => {
    throw new Error(`the draft should be ${JSON.stringify(text)} and is ${JSON.stringify(seen)}`);
  });
  if (back === 0 || text === '') return seen as AgentDraft;
  person.send(LEFT.repeat(back));
  // What the caret comes to depends on how the agent counts characters: it has come to rest.
  let before = text.length;
  return until(async () => {
    const now = await agent.draft();
    const rests = now.caret === before && now.caret < text.length;
    before = now.caret;
    return rests ? now : undefined;
  }, 'the caret to be moved');
}

// A first message to an empty box, as most agents get one: from then on it is known how the box looks when it is empty.
export async function seenEmpty(world: World, agent: TestAgent): Promise<void> {
  const message = await world.send(agent, 'first');
  const { receipt } = await world.submitted(message);
  if (receipt !== 'submitted' || agent.submissions().length !== 1)
    throw new Error(`the first message is ${receipt}`);
}
