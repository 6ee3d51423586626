// Who sends, and who asks, from inside the tool shell of a real agent; skipped where it cannot be installed.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Client } from '../src/api/client.js';
import type { Session } from '../src/api/types.js';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`./conformance/${file}`, import.meta.url).href);
const { copyBuild } = await load('build-copy.mjs');
const { binFolder, install } = await load('packages.mjs');
const { seeded } = await load('random.mjs');
const { Stage, subjectOf } = await load('stage.mjs');
const { soon, until } = await load('wait.mjs');

// Any of those that conformance knows: SM_TEST_AGENTS=qwen,pi npx vitest run test/identity.test.ts
const NAMES = (process.env.SM_TEST_AGENTS ?? 'claude,codex').split(',');
// A registry that answers slowly is no reason to fail.
const INSTALL_MS = 240_000;
const SHOWN_MS = 20_000;
const ANSWER_MS = 1000;

describe.each(NAMES)('%s', (name) => {
  test(
    'sm whoami and sm send name the session that they run in',
    async (context) => {
      try {
        install(name, (line: string) => console.log(line));
      } catch (error) {
        return context.skip((error as Error).message);
      }
      const build = await copyBuild();
      // Gemini has no door without hooks in its settings.
      const doors = subjectOf(name).door === true;
      const stage = await Stage.open(name, { build, random: seeded(1), doors, tell: () => {} });
      try {
        // Two of them: what a tool's shell inherits may be the first one's.
        const second = await another(stage);
        for (const session of [second, stage.session]) await asksWhoItIs(stage, session);
      } finally {
        await stage.close();
      }
    },
    INSTALL_MS,
  );
});

// biome-ignore lint/suspicious/noExplicitAny: a plain module without types
type AnyStage = any;

async function another({ name, agent, place, model, version }: AnyStage): Promise<Session> {
  const env: Record<string, string> = agent.env?.({ url: model.url, cwd: place.cwd, version }) ?? {};
  const pairs = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const words = ['new', '--json', '--name', 'second', '--cwd', place.cwd, ...pairs];
  const command = [path.join(binFolder(name), name), ...(agent.args ?? [])];
  const said = await place.sm([...words, '--socket', place.tmuxSocket, '--', ...command]);
  return JSON.parse(said) as Session;
}

async function asksWhoItIs({ agent, place }: AnyStage, { id, name, pane }: Session): Promise<void> {
  const client = place.client as Client;
  const screen = (): string => place.tmux('capture-pane', '-p', '-t', pane);
  await until(() => agent.ready(screen()), `${name} shows its input box`, SHOWN_MS);
  const told = path.join(place.cwd, `who-${id}`);
  const script = path.join(place.cwd, `ask-${id}.sh`);
  // By its path: a login shell, which Codex uses, sets PATH anew.
  const sm = '"$SM_HOME/bin/sm"';
  fs.writeFileSync(
    script,
    `${sm} send ${id} from-${id} && ${sm} whoami >${told}.new && mv ${told}.new ${told}\n`,
  );
  await client.send({ to: [id], text: `please [[run sh ${script}]]` });
  // The first answer is yes, everywhere; a key that comes as soon as the question is drawn is not taken by all.
  const approve = (): boolean => {
    if (fs.existsSync(told)) return true;
    if (agent.dialog?.(screen())) place.tmux('send-keys', '-t', pane, 'Enter');
    return false;
  };
  const ran = await soon(approve, SHOWN_MS, ANSWER_MS);
  if (!ran) throw new Error(`${name} has not run the command:\n${screen()}`);
  expect(fs.readFileSync(told, 'utf8')).toBe(`${name} (${id})\n`);
  const sent = (await client.messages({ session: id })).find(({ text }) => text === `from-${id}`);
  expect(sent?.from).toEqual({ id, name });
}
