// Whatever the draft: a message that goes past it arrives once and alone and leaves text and caret as they were, or is
// refused and leaves them alone; one-line drafts are never refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../src/cli/demo/person.js';
import type { AgentDraft } from './support/agent-log.js';
import { LEFT, seenEmpty } from './support/fill.js';
import { newSeed, seeded } from './support/random.js';
import { type RandomDraft, randomDraft } from './support/random-draft.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

// Drafts for each kind of agent. SM_SWAP_DRAFTS raises it.
const DRAFTS = Number(process.env.SM_SWAP_DRAFTS ?? 16);
const CEILING = 0;

const profile = (protocol: string, editor = ''): string => `
programs: []
protocols: [{ protocol: direct }, { protocol: ${protocol} }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 20, enterGapMs: 20, submittedMs: 20, restoredMs: 20, ${editor} }
stash: { key: C-s, taken: '› stashed' }
pace: { stepMs: 2, enterMs: 50 }
refusalCeiling: ${CEILING}
`;

const KINDS: { kind: string; protocol: 'editor' | 'stash'; editor?: string; args: string[] }[] = [
  { kind: 'editor', protocol: 'editor', args: [] },
  {
    kind: 'editor-newlines',
    protocol: 'editor',
    editor: 'trims: newlines',
    args: ['--editor-trims', 'newlines', '--editor-moves-caret'],
  },
  {
    kind: 'editor-blanks',
    protocol: 'editor',
    editor: 'trims: blanks, ignoresEmpty: true',
    args: ['--editor-trims', 'blanks', '--editor-ignores-empty', '--alt'],
  },
  {
    kind: 'editor-low-box',
    protocol: 'editor',
    args: ['--box-rows', '4', '--busy', '150', '--editor-delay', '20'],
  },
  { kind: 'editor-no-rules', protocol: 'editor', args: ['--no-rules'] },
  { kind: 'editor-no-prompt', protocol: 'editor', args: ['--no-prompt', '--placeholder', 'Say something'] },
  { kind: 'stash', protocol: 'stash', args: [] },
  { kind: 'stash-low-box', protocol: 'stash', args: ['--box-rows', '4'] },
  { kind: 'stash-late', protocol: 'stash', args: ['--paint-every', '120', '--collapse', '80'] },
];

let world: World;
beforeAll(async () => {
  world = new World();
  for (const { kind, protocol, editor } of KINDS) world.profile(kind, profile(protocol, editor));
  await world.begin();
});
afterAll(() => world.dispose());

async function enter(agent: TestAgent, person: Person, draft: RandomDraft): Promise<AgentDraft> {
  const { text, caret, back, way } = draft;
  if (way === 'pasted') person.paste(text);
  else person.send(text);
  person.send(LEFT.repeat(back));
  let now: AgentDraft | undefined;
  const isThere = async (): Promise<boolean> => {
    now = await agent.draft();
    return now.text === text && now.caret === caret;
  };
  await until(isThere, 'the draft to be there', 5000).catch(() => {
    throw new Error(`wanted ${JSON.stringify(draft)}, there is ${JSON.stringify(now)}`);
  });
  return now as AgentDraft;
}

async function outcome(id: string): Promise<'passed' | 'refused'> {
  const detail = await until(async () => {
    const now = await world.client.message(id);
    const isOver = now.receipt === 'submitted' || now.events.some(({ kind }) => kind === 'refused');
    return isOver ? now : undefined;
  }, `#${id} to be delivered or refused`);
  if (detail.receipt === 'submitted') return 'passed';
  await world.client.cancel(id).catch(() => {});
  const after = await world.client.wait(id, { for: 'submitted', timeout: 20 });
  console.log(JSON.stringify(detail.events.map(({ kind, data }) => ({ kind, ...(data as object) }))));
  return after.receipt === 'submitted' ? 'passed' : 'refused';
}

test.concurrent.each(KINDS)('$kind', { timeout: 600_000 }, async ({ kind, protocol, args }) => {
  const seed = newSeed();
  const random = seeded(seed);
  console.log(`${kind}: seed ${seed} (repeat with SM_SEED=${seed})`);
  const agent = await world.agent('box', ['--editor', 'C-g', '--stash', 'C-s', ...args], {
    agent: kind,
    name: kind,
  });
  await seenEmpty(world, agent);
  const person = await world.person(agent, { width: 40 + Math.floor(random() * 80), height: 30 });
  let refused = 0;
  for (let round = 0; round < DRAFTS; round++) {
    const made = randomDraft(random, round % 3 === 0 ? 'line' : 'lines');
    // A collapsed paste is one character to the arrow keys.
    const isLabel = made.way === 'pasted' && args.includes('--collapse');
    const draft = isLabel ? { ...made, caret: made.text.length, back: 0 } : made;
    const before = await enter(agent, person, draft);
    const taken = agent.submissions().length;
    const message = await world.send(agent, random() < 0.3 ? 'more\n\nlines' : 'hello', {
      past_draft: 'now',
    });
    const story = `${kind}, seed ${seed}, round ${round}: ${JSON.stringify({ draft, before })}`;
    const result = await outcome(message.id);
    const got = agent.submissions().slice(taken);
    expect(got, story).toEqual(result === 'passed' ? [delivered(message)] : []);
    expect(await agent.draft(), story).toEqual(before);
    if (result === 'passed') {
      const { way, draft: id } = await world.client.message(message.id);
      expect(way, story).toBe(protocol);
      expect((await world.client.draft(id ?? '')).state, story).toBe('restored');
    } else refused++;
    if (!draft.text.includes('\n')) expect(result, story).toBe('passed');
    // Their Enter submits what they wrote and nothing else.
    person.send('\r');
    await until(() => agent.submissions().length === taken + got.length + 1, `their own Enter: ${story}`);
    expect(agent.submissions().at(-1), story).toBe(draft.text);
  }
  console.log(`${kind}: ${DRAFTS} drafts, ${refused} refused`);
  expect(refused / DRAFTS).toBeLessThanOrEqual(CEILING);
});
