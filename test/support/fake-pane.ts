// A fake agent in a pane of its own, without a daemon: a person's keys go in, its log and its screen come out.
import fs from 'node:fs';
import type { Pane } from '../../src/tmux/index.js';
import { type AgentDraft, type AgentLog, agentLog } from './agent-log.js';
import { fakeAgent, type TestTmux, until } from './tmux.js';

export interface FakePane extends AgentLog {
  pane: Pane;
  // Keys by tmux's names for them, in one write.
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  paste(text: string): Promise<void>;
  // Waits until the box holds this; the caret is written as ▏.
  holds(marked: string): Promise<void>;
  count(ev: string): number;
  screen(): Promise<string[]>;
}

export const marked = ({ text, caret }: AgentDraft): string => `${text.slice(0, caret)}▏${text.slice(caret)}`;

const made: { tmux: TestTmux; agent: AgentLog }[] = [];

export async function fakePane(
  tmux: TestTmux,
  program: string,
  args: readonly string[] = [],
  { env = {} as Record<string, string>, width = 100, height = 30 } = {},
): Promise<FakePane> {
  const log = agentLog(tmux.file(`${program}-${made.length}.jsonl`));
  made.push({ tmux, agent: log });
  const vars = Object.entries({ ...env, FAKE_LOG: log.log }).map(([name, value]) => `${name}=${value}`);
  const command = [...vars, process.execPath, fakeAgent(program), ...args];
  const pane = await tmux.pane(command, { width, height });
  const count = (ev: string): number => log.events().filter((event) => event.ev === ev).length;
  await until(() => count('ready'), `${program} to be ready`);
  // Once tmux shows something it also knows that pastes want brackets.
  await until(async () => (await pane.capture()).trim(), `${program} to be drawn`);
  return {
    ...log,
    pane,
    count,
    press: async (...keys) => void (await pane.press(keys)),
    type: async (text) => void (await pane.type(text)),
    paste: async (text) => void (await pane.paste(text)),
    screen: async () => (await pane.capture()).split('\n'),
    holds: async (expected) => {
      let seen = '';
      await until(
        async () => {
          seen = marked(await log.draft());
          return seen === expected;
        },
        'the draft',
        5000,
      ).catch(() => {
        throw new Error(`the box holds ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
      });
    },
  };
}

// Ends the agents before the server: they write their last line into the folder that goes with it.
export async function endFakes(tmux: TestTmux): Promise<void> {
  const ended = (agent: AgentLog): boolean => agent.events().some(({ ev }) => ev === 'exit');
  for (const { agent } of made.filter((one) => one.tmux === tmux && !ended(one.agent))) {
    process.kill(agent.pid(), 'SIGTERM');
    await until(() => ended(agent), `${agent.log}: the end`);
  }
  tmux.dispose();
}

// A program that can be an agent's editor: a script that gets the file as $1.
export function editorScript(tmux: TestTmux, name: string, script: string): string {
  const file = tmux.file(name);
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}
