// The daemon's own connection to tmux breaks in the middle of a delivery: a person's keys wait on until their draft is back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../src/api/types.js';
import type { Person } from '../src/cli/demo/person.js';
import { fill, seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const profile = (protocol: string, rest: string): string => `
programs: []
protocols: [{ protocol: direct }, { protocol: ${protocol} }]
pace: { stepMs: 2, enterMs: 50 }
${rest}
`;
const AGENTS = {
  stash: { args: ['--stash', 'C-s'], yaml: profile('stash', "stash: { key: C-s, taken: '› stashed' }") },
  editor: {
    args: ['--editor', 'C-g', '--editor-delay', '100'],
    yaml: profile(
      'editor',
      `editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 200, submittedMs: 10, restoredMs: 20 }`,
    ),
  },
  sentinel: {
    args: [],
    yaml: profile(
      'sentinel',
      `cursorAtCaret: true
lineKeys: { start: { key: C-a, moves: line }, end: { key: C-e, moves: line }, killToEnd: { key: C-k, kills: line, joins: true }, echoMs: 50 }`,
    ),
  },
};
type Way = keyof typeof AGENTS;

let world: World;
beforeAll(async () => {
  world = new World();
  for (const [name, { yaml }] of Object.entries(AGENTS)) world.profile(`fake-${name}`, yaml);
  await world.begin();
});
afterAll(() => world.dispose());

const journal = (): string[] => world.tmux('show-environment', '-g', '-h').split('\n');
const stepOf = ({ session }: TestAgent, { id }: Message): string | undefined => {
  const entry = journal().find((one) => one.startsWith(`SM_AT_${session.pane.slice(1)}=`)) ?? '';
  return entry.includes(`.${id}.`) ? entry.split('.').at(-1) : undefined;
};
const holdOn = ({ session }: TestAgent): string | undefined =>
  journal().find((one) => one.startsWith(`SMHOLD_${session.pane.slice(1)}_T=`));

// The daemon's client at that session, again and again: it comes back by itself, and may just have gone.
const CUTS = {
  detached: (name: string, _pid: number): void => void world.tmux('detach-client', '-t', name),
  killed: (_name: string, pid: number): void => void process.kill(pid, 'SIGKILL'),
};
type Cut = keyof typeof CUTS;
async function cut({ session }: TestAgent, how: Cut, ms: number): Promise<void> {
  const format = '#{client_control_mode} #{client_name} #{client_pid}';
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const clients = world.tmux('list-clients', '-t', session.tmux_session, '-F', format).split('\n');
    for (const [isControl, name = '', pid] of clients.map((line) => line.split(' ')))
      try {
        if (isControl === '1') CUTS[how](name, Number(pid));
      } catch {}
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function swapWith(way: Way): Promise<{ agent: TestAgent; person: Person; message: Message }> {
  const { args } = AGENTS[way];
  const agent = await world.agent('box', [...args, '--paint-every', '150'], { agent: `fake-${way}` });
  await seenEmpty(world, agent);
  const person = await world.person(agent);
  await fill(agent, person, { text: 'half\na thought', back: 4 });
  return { agent, person, message: await world.send(agent, 'hello\nthere', { past_draft: 'now' }) };
}

describe.each<[Way, string, Cut]>([
  ['stash', 'reading', 'detached'],
  ['stash', 'typed', 'detached'],
  ['stash', 'entered', 'killed'],
  ['editor', 'typed', 'killed'],
  ['editor', 'entered', 'detached'],
  ['sentinel', 'reading', 'killed'],
  ['sentinel', 'typed', 'detached'],
  ['sentinel', 'entered', 'killed'],
])('past a draft by %s, at: %s, its client %s', (way, step, how) => {
  // A machine that is too busy to connect again within the seconds that keys may wait lets them go first.
  test('keys that are pressed meanwhile come after the draft, where its caret was', {
    retry: 2,
  }, async () => {
    const { agent, person, message } = await swapWith(way);
    await until(() => stepOf(agent, message) === step, `the step ${step}`);
    person.send('XYZ');
    await cut(agent, how, 1200);
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    let draft: unknown;
    const isBack = async (): Promise<boolean> => {
      const { text, caret } = await agent.draft();
      draft = { text, caret };
      return text === 'half\na thoXYZught' && caret === 13;
    };
    await until(isBack, 'the draft and the keys').catch(() => {});
    expect(draft).toEqual({ text: 'half\na thoXYZught', caret: 13 });
    await until(() => !holdOn(agent), 'the keys to be free');
  });
});
