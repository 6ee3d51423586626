// Claude Code's doorbell: whether its hooks can be counted on to bring the text of a prompt, and where that text is.
import fs from 'node:fs';
import type { Bell, DoorLetter, Found } from '../door.js';
import { findRung } from './bell-find.js';
import type { Bells } from './bells.js';
import type { AgentNow } from './whereabouts.js';

export interface Ringable {
  // Its hooks have been heard, and no turn runs: before 2.1.325 one that takes a prompt in its middle drops what hooks add.
  isReady(): boolean;
  transcript(): string | undefined;
  onRung(): void;
}

export class ClaudeBell implements Bell {
  // A bell did not bring its text: until a hook is heard again they are taken to be turned off.
  #isDeaf = false;

  constructor(
    readonly bells: Bells,
    readonly agent: Ringable,
  ) {}

  // Without a transcript nothing would ever show that the text came with the bell.
  put({ id, text }: Pick<DoorLetter, 'id' | 'text'>): boolean {
    const transcript = this.agent.transcript();
    if (this.#isDeaf || !this.agent.isReady() || transcript === undefined || !fs.existsSync(transcript))
      return false;
    this.bells.put(id, text);
    return true;
  }

  rung(): void {
    this.agent.onRung();
  }

  forget(id: string): void {
    this.bells.forget(id);
  }

  // A hook has come.
  heard(): void {
    this.#isDeaf = false;
  }

  // Undefined for what was not rung for.
  async find(agent: AgentNow, id: string): Promise<Found | undefined> {
    const since = this.bells.since(id);
    if (since === undefined) return undefined;
    const found = await findRung(this.bells, agent, id, since);
    if (found.at === 'nowhere') this.#isDeaf = true;
    return found;
  }
}
