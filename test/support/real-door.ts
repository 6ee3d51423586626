// A real agent on a stage, its mail through its door: what tests of doors share.
import { expect } from 'vitest';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`../conformance/${file}`, import.meta.url).href);
const { copyBuild } = await load('build-copy.mjs');
const { install } = await load('packages.mjs');
const { seeded } = await load('random.mjs');
const { Stage } = await load('stage.mjs');
const { sleep, soon } = await load('wait.mjs');

export { sleep, soon };

export interface Recorded {
  id: string;
  state: string;
  receipt: string;
  events: { kind: string; data: Record<string, unknown> }[];
}

const SHOWN_MS = 20_000;

export class RealDoor {
  constructor(
    // biome-ignore lint/suspicious/noExplicitAny: plain modules without types of their own.
    readonly stage: any,
  ) {}

  // A sentence that says why not, where the agent cannot be had.
  static async open(name: string): Promise<RealDoor | string> {
    try {
      install(name, (line: string) => console.log(line));
    } catch (error) {
      return `${name} is skipped: ${(error as Error).message}`;
    }
    const build = await copyBuild();
    return new RealDoor(await Stage.open(name, { build, random: seeded(1), doors: true, tell: () => {} }));
  }

  async send(text: string, mode?: string): Promise<string> {
    const { session, place } = this.stage;
    const letter = { to: [session.id], text, from: { session: session.id }, ...(mode && { mode }) };
    return (await place.client.send(letter)).messages[0].id;
  }

  look(id: string): Promise<Recorded> {
    return this.stage.place.client.message(id);
  }

  async until(id: string, receipt: string): Promise<Recorded> {
    let seen = await this.look(id);
    const shown = async (): Promise<boolean> => {
      seen = await this.look(id);
      return seen.receipt === receipt;
    };
    for (const end = Date.now() + SHOWN_MS; Date.now() < end && !(await shown()); ) await sleep(50);
    expect(seen.receipt, JSON.stringify(seen.events)).toBe(receipt);
    expect(seen.events.filter(({ kind }) => kind === 'attempt').map(({ data }) => data.way)).toContain(
      'door',
    );
    return seen;
  }

  status(): Promise<string> {
    const { session, place } = this.stage;
    return place.client.session(session.id).then(({ status }: { status: { state: string } }) => status.state);
  }

  async untilState(state: string): Promise<void> {
    let seen = '';
    for (const end = Date.now() + SHOWN_MS; Date.now() < end && seen !== state; await sleep(50))
      seen = await this.status();
    expect(seen).toBe(state);
  }

  // How often the newest request of the agent's own turn has a text.
  count(text: string): number {
    const turns = this.stage.model.requests.filter(({ tools }: { tools: number }) => tools > 0);
    return (turns.at(-1)?.users ?? []).join('\n').split(text).length - 1;
  }

  async say(text: string): Promise<void> {
    await this.stage.typist.submit(text);
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}
