// Kills the daemon while it delivers: a random moment after the feed shows that an attempt has begun, then starts it again.
import { between } from '../random.mjs';
import { sleep } from '../wait.mjs';
import { isInside } from './fault-point.mjs';

// Before any attempt was seen to end, an attempt is taken to last so long.
const FIRST_GUESS_MS = 400;
// Our text is in the box after about a third of the time that it takes until the draft is back. An agent that takes its keys
// back slowly ends the attempt long after that.
const TYPED_PARTS = 3;
const LAST = 20;

export class Killer {
  points = new Map();
  kills = 0;
  #running = true;
  #began = new Map();
  #untilTyped = [];
  #untilSubmitted = [];

  // `share`: of the attempts, 0 to 1. `point(dbPath, tmuxSocket)` names the moment; `note` is told each kill.
  constructor(place, { random, share, point, note }) {
    Object.assign(this, { place, random, share, point, note });
  }

  // Until `stop`. The feed ends with each daemon.
  async run() {
    while (this.#running) {
      try {
        for await (const { event } of this.place.client.events()) {
          if (!this.#running) return;
          if (event.type === 'message' && (await this.#seen(event))) break;
        }
      } catch {
        // The daemon is starting.
        await sleep(20);
      }
    }
  }

  stop() {
    this.#running = false;
  }

  // True after a kill: the feed that showed this event is dead.
  async #seen({ message, event }) {
    if (event.kind === 'typed') this.#learn(this.#untilTyped, message.id);
    if (event.kind === 'submitted') this.#learn(this.#untilSubmitted, message.id);
    if (event.kind !== 'attempt') return false;
    this.#began.set(message.id, Date.now());
    if (this.random() > this.share) return false;
    await sleep(between(this.random, 0, this.#window()));
    if (!this.#running) return false;
    await this.#kill();
    return true;
  }

  async #kill() {
    await this.place.killDaemon();
    const point = this.point(this.place.locations.database, this.place.tmuxSocket);
    this.kills++;
    this.points.set(point, (this.points.get(point) ?? 0) + 1);
    this.note({ ev: 'kill', point });
    await this.place.startDaemon();
  }

  #learn(list, id) {
    const began = this.#began.get(id);
    if (began !== undefined) list.push(Date.now() - began);
    if (list.length > LAST) list.shift();
  }

  #window() {
    const submitted = median(this.#untilSubmitted) ?? FIRST_GUESS_MS;
    const typed = median(this.#untilTyped) ?? submitted;
    return Math.min(submitted * 1.1, typed * TYPED_PARTS);
  }

  // The share of the kills that fell between our first key and the return of the draft.
  get inside() {
    let count = 0;
    for (const [point, kills] of this.points) if (isInside(point)) count += kills;
    return this.kills ? count / this.kills : 0;
  }
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
