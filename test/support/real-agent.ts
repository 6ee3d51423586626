// A real agent on a stage of its own, with a stand-in model behind it: mail to it, its receipts, and what its model got.
import fs from 'node:fs';
import { afterAll, test as base, beforeAll, expect } from 'vitest';
import type { Client } from '../../src/api/client.js';
import type { MessageWithEvents, SendRequest, Session } from '../../src/api/types.js';
import { below, childrenOf, endNow, processWith } from './processes.js';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`../conformance/${file}`, import.meta.url).href);
const { copyBuild } = await load('build-copy.mjs');
const { lettersIn } = await load('letters-in.mjs');
const { binFolder, install } = await load('packages.mjs');
const { seeded } = await load('random.mjs');
const { Stage, SUBJECTS } = await load('stage.mjs');
const { sleep, soon } = await load('wait.mjs');

export { binFolder, sleep, soon };

// A registry that answers slowly is no reason to fail.
const INSTALL_MS = 240_000;
const SHOWN_MS = 40_000;
// With others at work, an agent needs that long to come up.
const BEGUN_MS = 40_000;
const TEST_MS = 180_000;

interface Request {
  t: number;
  // Of its agent: `anthropic` or `responses`, say.
  proto: string;
  tools: number;
  // What a person and we have said, as the model was told it; several messages in one text are several.
  users: string[];
  // Those of them that it is about: one prompt, or what came in one delivery.
  newest: string[];
  end?: 'answered' | 'aborted';
}

export class RealAgent {
  constructor(
    // biome-ignore lint/suspicious/noExplicitAny: a plain module without types
    readonly stage: any,
  ) {}

  get client(): Client {
    return this.stage.place.client;
  }

  get own(): Session {
    return this.stage.session;
  }

  // From the agent to itself, as another agent would write; `from: undefined` is a person.
  async send(text: string, more: Partial<SendRequest> = {}): Promise<string> {
    const sent = await this.client.send({ to: [this.own.id], text, from: { session: this.own.id }, ...more });
    return sent.messages[0]?.id ?? '';
  }

  // Several that wait until all of them are stored, and so go in one delivery; `told` is what its model must get for them.
  async together(texts: string[]): Promise<{ ids: string[]; told: string[] }> {
    const { id, name } = this.own;
    await this.client.update(id, { paused: true });
    const ids: string[] = [];
    for (const text of texts) ids.push(await this.send(text));
    await this.client.update(id, { paused: false });
    const told = ids.map((each, i) => `[Input from: ${name} (${id}) via sm send] #${each}\n${texts[i]}`);
    return { ids, told };
  }

  message(id: string): Promise<MessageWithEvents> {
    return this.client.message(id);
  }

  async eventually(
    holds: () => Promise<boolean> | boolean,
    what: string,
    tell: () => Promise<unknown> | unknown = () => this.stage.daemonLog(),
  ): Promise<void> {
    if (await soon(holds, SHOWN_MS, 50)) return;
    const told = await tell();
    const text = typeof told === 'string' ? told : JSON.stringify(told, null, 1);
    throw new Error(`not in time: ${what}\n${this.stage.screen()}\n${text}`);
  }

  #until(
    id: string,
    what: string,
    test: (message: MessageWithEvents) => boolean,
  ): Promise<MessageWithEvents> {
    const look = async (): Promise<boolean> => test(await this.message(id));
    return this.eventually(look, `#${id} is ${what}`, () => this.message(id)).then(() => this.message(id));
  }

  whenState(id: string, state: MessageWithEvents['state']): Promise<MessageWithEvents> {
    return this.#until(id, state, (message) => message.state === state);
  }

  whenAccepted(id: string): Promise<MessageWithEvents> {
    return this.whenState(id, 'accepted');
  }

  whenHeld(id: string, reason: string): Promise<MessageWithEvents> {
    return this.#until(id, `held: ${reason}`, ({ held }) => held === reason);
  }

  whenReceived(id: string): Promise<MessageWithEvents> {
    const receipts = ['received', 'done'];
    return this.#until(
      id,
      'received',
      ({ state, receipt }) => state === 'settled' && receipts.includes(receipt),
    );
  }

  // By way of the door, if need be after another attempt.
  async whenDone(id: string): Promise<MessageWithEvents> {
    const message = await this.#until(id, 'done', ({ receipt }) => receipt === 'done');
    expect(waysOf(message)).toContain('door');
    return message;
  }

  async status(id = this.own.id): Promise<string | undefined> {
    return (await this.client.session(id)).status?.state;
  }

  whenStatus(state: string, id = this.own.id): Promise<void> {
    return this.eventually(async () => (await this.status(id)) === state, `${id} is ${state}`);
  }

  async whenDoor(state: 'open' | 'shut', id = this.own.id): Promise<void> {
    const look = async () => (await this.client.session(id)).door?.state === state;
    await this.eventually(look, `the door of ${id} is ${state}`);
  }

  // A prompt of the person's own.
  say(text: string): Promise<void> {
    return this.stage.typist.submit(text);
  }

  // The person's prompt reaches the model, which works on it until it is released.
  async keepBusy(name: string): Promise<void> {
    await this.say(`[[hold ${name}]]`);
    await this.eventually(() => this.prompts().at(-1)?.includes(`[[hold ${name}]]`) === true, 'it is busy');
    await this.whenStatus('busy');
  }

  release(name: string): void {
    this.stage.model.release(name);
  }

  // Its own turns; agents ask for titles and suggestions too.
  requests(): Request[] {
    const own: Request[] = this.stage.model.requests.filter(this.stage.agent.main);
    return own.map(({ users, ...request }) => ({
      ...request,
      users: users.flatMap((text) => lettersIn(text)),
      newest: lettersIn(users.at(-1) ?? ''),
    }));
  }

  // What the person and we have said, as the model was told it last.
  prompts(): string[] {
    return this.requests().at(-1)?.users ?? [];
  }

  // The last lines of the newest prompts; an agent shows that it has taken one before it asks the model.
  lastLines(count: number): (string | undefined)[] {
    return this.prompts().slice(-count).map(lastLine);
  }

  // The last lines of what each request was about, in order.
  asked(): (string | undefined)[] {
    return this.requests().flatMap(({ newest }) => newest.map(lastLine));
  }

  // How often the model was ever given a text: twice in one conversation, or in two of them, is twice.
  times(text: string, requests = this.requests()): number {
    const isIt = (said: string): boolean => said === text || said.endsWith(`\n${text}`);
    const most = Math.max(0, ...requests.map(({ users }) => users.filter(isIt).length));
    return Math.max(most, requests.filter(begins(isIt)).length);
  }

  // The process in its pane; `child` is the one that a launcher of the agent's own runs.
  async pid(which: 'program' | 'child' = 'program', id = this.own.id): Promise<number> {
    const pid = (await this.client.session(id)).program?.pid;
    if (pid === undefined) throw new Error(`nothing runs in ${id}`);
    return which === 'program' ? pid : (childrenOf(pid)[0] ?? pid);
  }

  // As a power cut would: with all that it has started.
  async kill(id = this.own.id): Promise<void> {
    const pid = await this.pid('program', id);
    for (const each of [...below(pid), pid]) endNow(each);
  }

  // Another one in the same pane, as it was started before.
  async startAgain(): Promise<void> {
    const { stage } = this;
    stage.place.tmux('respawn-pane', '-k', '-t', this.own.pane);
    const isUp = (): boolean => stage.alive() && stage.agent.ready(stage.screen());
    if (!(await soon(isUp, BEGUN_MS, 100))) throw new Error(`it does not come up:\n${stage.screen()}`);
    await sleep(stage.agent.settleMs);
    await stage.rest();
  }

  // A process that the agent has started beside itself, by a word of its command line.
  helper(word: string): number {
    const found = processWith(`SM_CONFORMANCE=${this.stage.place.folder}`, word);
    if (found === undefined) throw new Error(`no process with ${word} runs`);
    return found;
  }

  // As a power cut would.
  killDaemon(): Promise<void> {
    return this.stage.place.killDaemon();
  }

  startDaemon(): Promise<void> {
    return this.stage.place.startDaemon();
  }
}

// Of each attempt.
export const waysOf = ({ events }: MessageWithEvents): unknown[] =>
  events.filter(({ kind }) => kind === 'attempt').map(({ data }) => (data as { way: string }).way);

const lastLine = (text: string): string | undefined => text.split('\n').at(-1);

// Whether a request is the first about a text. One that goes on with the conversation of the request before it is not, though
// an agent may put what came into an interrupted turn behind what came after; one that asks the same again is.
const begins =
  (isIt: (said: string) => boolean) =>
  ({ users, newest }: Request, at: number, all: Request[]): boolean => {
    if (!newest.some(isIt)) return false;
    const before = all[at - 1];
    if (!before?.users.some(isIt) || !before.users.every((said) => users.includes(said))) return true;
    return before.end === 'aborted' && before.users.length === users.length;
  };

// The others are large, and would make the tests take longer than they may.
const INSTALLED = ['claude', 'codex', 'pi'];

// Why it cannot be had.
function missing(name: string): string | undefined {
  if (!INSTALLED.includes(name) && !fs.existsSync(binFolder(name)))
    return `${name} is skipped: it is not installed; "npm run conformance -- ${name} --quick" installs it`;
  try {
    install(name, (line: string) => console.log(line));
    return undefined;
  } catch (error) {
    return `${name} is not installed: ${(error as Error).message}`;
  }
}

async function start(name: string, beside: readonly string[], doors: boolean): Promise<RealAgent | string> {
  const why = [name, ...beside].map(missing).find((reason) => reason !== undefined);
  if (why !== undefined) return why;
  const build = await copyBuild();
  return new RealAgent(await Stage.open(name, { build, random: seeded(1), doors, tell: () => {} }));
}

export type Play = (agent: RealAgent) => Promise<void>;

// Tests of one agent, which runs through all of them; skipped where it cannot be had. `change` is done to what it is started with;
// `beside` are others that they start.
export function testsOf(
  name: string,
  change: (subject: Record<string, unknown>) => () => void = () => () => {},
  { beside = [], doors = true }: { beside?: readonly string[]; doors?: boolean } = {},
) {
  let agent: RealAgent | string = 'not started';
  beforeAll(async () => {
    const undo = change(SUBJECTS[name]);
    agent = await start(name, beside, doors).finally(undo);
    if (typeof agent === 'string') console.log(agent);
  }, INSTALL_MS);
  afterAll(() => (typeof agent === 'string' ? undefined : agent.stage.close()));
  return (title: string, play: Play): void =>
    base(
      title,
      async (context) => {
        if (typeof agent === 'string') return context.skip(agent);
        await play(agent);
      },
      TEST_MS,
    );
}
