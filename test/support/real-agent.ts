// A real agent on a stage of its own, or why there is none; messages to it, and what the stand-in model got of them.

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`../conformance/${file}`, import.meta.url).href);
const { copyBuild } = await load('build-copy.mjs');
const { install } = await load('packages.mjs');
const { seeded } = await load('random.mjs');
const { Stage } = await load('stage.mjs');
const { soon, until } = await load('wait.mjs');

// A registry that answers slowly is no reason to fail.
export const INSTALL_MS = 240_000;
const STATE_MS = 15_000;

interface Message {
  id: string;
  state: string;
  receipt: string;
  way: string | null;
  held: string | null;
  events: { kind: string; data: Record<string, unknown> }[];
}

export class RealAgent {
  // biome-ignore lint/suspicious/noExplicitAny: a plain module without types
  private constructor(readonly stage: any) {}

  static async start(name: string): Promise<RealAgent | string> {
    try {
      install(name, (line: string) => console.log(line));
    } catch (error) {
      return (error as Error).message;
    }
    const build = await copyBuild();
    return new RealAgent(await Stage.open(name, { build, random: seeded(1), doors: true, tell: () => {} }));
  }

  async send(text: string, more: { mode?: string } = {}): Promise<string> {
    const { client } = this.stage.place;
    const to = this.stage.session.id;
    const { messages } = await client.send({ to: [to], text, from: { session: to }, ...more });
    return messages[0].id;
  }

  message(id: string): Promise<Message> {
    return this.stage.place.client.message(id);
  }

  async status(): Promise<string | undefined> {
    return (await this.stage.place.client.session(this.stage.session.id)).status?.state;
  }

  async whenAccepted(id: string): Promise<void> {
    await until(async () => (await this.message(id)).state === 'accepted', 'it is accepted', STATE_MS);
  }

  async whenReceived(id: string): Promise<Message> {
    const isReceived = async () => {
      const { state, receipt } = await this.message(id);
      return state === 'settled' && ['received', 'done'].includes(receipt);
    };
    const isDone = await soon(isReceived, STATE_MS);
    const message = await this.message(id);
    if (!isDone) throw new Error(`not received: ${JSON.stringify(message)}`);
    return message;
  }

  // The person's prompt reaches the model, which works on it until it is released.
  async keepBusy(name: string): Promise<void> {
    await this.stage.typist.submit(`[[hold ${name}]]`);
    await until(() => this.prompts().at(-1)?.includes(`[[hold ${name}]]`), 'it is busy', STATE_MS);
  }

  release(name: string): void {
    this.stage.model.release(name);
  }

  // What the person and we have said, as the model was told it last.
  prompts(): string[] {
    const { model, agent } = this.stage;
    return model.requests.filter(agent.main).at(-1)?.users ?? [];
  }

  // The last lines of the newest prompts; an agent shows that it has taken one before it asks the model.
  lastLines(count: number): (string | undefined)[] {
    return this.prompts()
      .slice(-count)
      .map((prompt) => prompt.split('\n').at(-1));
  }

  times(text: string): number {
    return this.prompts().filter((prompt) => prompt.endsWith(text)).length;
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}
