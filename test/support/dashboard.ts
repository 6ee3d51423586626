// The dashboard for a test file: a daemon, a tmux server and a browser of its own; what a test opens or starts ends with it.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Session } from '../../src/api/types.js';
import { DESK, launch, openDashboard } from './browser.js';
import { World } from './world.js';

export class Dashboard {
  readonly #contexts: BrowserContext[] = [];

  private constructor(
    readonly world: World,
    readonly browser: Browser,
  ) {}

  static async start(world = new World()): Promise<Dashboard> {
    await world.begin();
    return new Dashboard(world, await launch());
  }

  async context(): Promise<BrowserContext> {
    const context = await this.browser.newContext({ viewport: DESK });
    this.#contexts.push(context);
    return context;
  }

  async open(): Promise<Page> {
    return openDashboard(this.world, await this.context());
  }

  // A session that reports nothing by itself.
  shell(name: string): Promise<Session> {
    const { client, socket, folder } = this.world;
    return client.start({ name, socket, cwd: folder, command: ['cat'], width: 80, height: 24 });
  }

  async clear(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
    for (const { id } of await this.world.client.sessions()) await this.world.client.kill(id);
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.world.dispose();
  }
}

export const cardNames = (page: Page): Promise<string[]> => page.locator('.card h3').allTextContents();
