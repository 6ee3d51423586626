// What agents' doors and hooks tell, as signals: once each.
import { beforeEach, expect, test } from 'vitest';
import { claude } from '../agents/claude/profile.js';
import type { Status } from '../agents/index.js';
import { DEFAULT_CONFIG } from '../mail/config.js';
import type { RegistryEvent, Session } from '../sessions/index.js';
import { blankRow, Session as RealSession } from '../sessions/session.js';
import { Emitter } from '../tmux/index.js';
import { AgentSignals } from './agent-signals.js';
import type { Report, Reported, Signal } from './signal.js';

let session: RealSession;
let reports: Report[];
let agents: AgentSignals;
let happened: Emitter<RegistryEvent>;

function restart(): void {
  happened = new Emitter();
  agents = new AgentSignals({
    registry: { list: () => [session], onEvent: happened.event },
    doors: { sessionOf: () => session as Session },
    desk: {
      report: async (report) => {
        reports.push(report);
        const { state, message, door, at } = report;
        const last = { signal_state: state, signal_message: message, signal_door: door, signal_at: at };
        session.row = { ...session.row, ...last };
        return {} as Reported;
      },
      lastOf: () => {
        const { signal_state: state, signal_at: at } = session.row;
        return state === null ? undefined : ({ state, at } as Signal);
      },
    },
    config: DEFAULT_CONFIG,
    log: () => {},
  });
  agents.start();
}

beforeEach(() => {
  const profiles = { find: () => claude };
  const row = {
    ...blankRow('s', 0),
    state: 'live' as const,
    door: '{"epoch":1,"facts":{"conversation":"c"}}',
  };
  session = new RealSession(row, profiles as never);
  reports = [];
  restart();
});

const does = (state: Status['state'], since: number, detail: string | null = null): void => {
  const status = { epoch: session.row.epoch, state, since, source: 'registry', detail };
  session.row = { ...session.row, status: JSON.stringify(status) };
  happened.fire({ type: 'changed', session: session as Session });
};
const idles = (at: number): Promise<void> =>
  agents.heard({
    agent: 'claude',
    event: 'Notification',
    session: 's',
    pane: undefined,
    at,
    body: { notification_type: 'idle_prompt', message: 'waits for your input', session_id: 'c' },
  });
const said = (): string[] => reports.map(({ state, message, door }) => `${door} ${state} ${message}`);

test('an agent that waits for a person needs input: once for each question', () => {
  does('busy', 1);
  does('waiting', 2, 'Bash');
  does('waiting', 2, 'Bash');
  expect(said()).toEqual(['hook needs_input Bash']);
  expect(reports[0]).toMatchObject({ at: 2, key: 'waiting 1 2 Bash' });
  does('busy', 3);
  does('waiting', 4, 'Bash');
  does('waiting', 5, 'Write');
  expect(said()).toEqual(['hook needs_input Bash', 'hook needs_input Bash', 'hook needs_input Write']);
});

test('a daemon that starts does not tell again what the one before has told, and tells what it has not', () => {
  does('waiting', 2, 'Bash');
  does('waiting', 99, 'Bash');
  reports = [];
  restart();
  expect(said()).toEqual([]);
  session.row = { ...session.row, signal_state: 'working', signal_door: 'command' };
  restart();
  expect(said()).toEqual(['hook needs_input Bash']);
});

test('that nothing goes on is told, unless the agent has asked for something since it began to work', async () => {
  does('busy', 10);
  does('idle', 20);
  await idles(80);
  expect(said()).toEqual(['hook needs_input waits for your input']);
  does('busy', 100);
  session.row = { ...session.row, signal_state: 'completed', signal_door: 'command', signal_at: 110 };
  does('idle', 120);
  await idles(180);
  expect(reports).toHaveLength(1);
  does('busy', 200);
  does('idle', 220);
  await idles(280);
  expect(reports).toHaveLength(2);
});
