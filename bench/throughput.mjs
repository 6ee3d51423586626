// Durable sends a second through the API, 50 senders at once, against bare better-sqlite3 inserts, one transaction each.
//
// Do group commits help? The note tells: how many messages a commit carries, counted in the write-ahead log itself, and
// what a single sender gets, whose messages cannot share one.
import path from 'node:path';
import { insertEvent, insertMessage, insertSession } from '../dist/store/index.js';
import { migrate } from '../dist/store/migrate.js';
import { openDatabase } from '../dist/store/open.js';
import { Place } from './lib/place.mjs';
import { Senders } from './lib/senders.mjs';
import { median, timed } from './lib/stats.mjs';
import { messageOf } from './lib/stored.mjs';
import { number } from './lib/table.mjs';
import { cpuMs } from './lib/usage.mjs';
import { countCommits } from './lib/wal.mjs';

export const name = 'throughput';
export const title =
  'durable sends a second, 50 senders at once; baseline: bare SQLite inserts, a transaction each';
export const budget = { least: 0.8 };
export const higherIsBetter = true;

const ROUNDS = 12;
const BATCH = 500;
// Until the code of both has been compiled; a daemon runs for days.
const WARM_UP = 2000;
const SENDERS = 50;
// Spread, so that no queue gets long.
const RECIPIENTS = 20;
const ALONE = 100;
const COUNTED = 2000;
const TEXT = 'please run the tests and tell me what fails';

export const run = () =>
  Place.use(async (place) => {
    place.pane(['cat']);
    const { client, home, pid } = await place.daemon();
    // Paused: only accepting is measured.
    await client.setPaused(true);
    const to = [];
    for (let i = 0; i < RECIPIENTS; i++)
      to.push((await client.start({ command: ['cat'], socket: place.tmuxSocket, cwd: place.folder })).id);
    const bare = new BareInserts(path.join(place.folder, 'bare.db'), home.database, to);
    const senders = new Senders(home.socket, SENDERS);
    const sendAll = (count, atOnce) =>
      senders.send(count, atOnce, (i) => ({ to: [to[i % to.length]], text: TEXT }));
    try {
      await sendAll(WARM_UP, SENDERS);
      bare.insert(WARM_UP);
      const ours = [];
      const baseline = [];
      const alone = [];
      const daemonMs = [];
      for (let i = 0; i < ROUNDS; i++) {
        const used = cpuMs(pid);
        ours.push(rate(BATCH, await timed(() => sendAll(BATCH, SENDERS))));
        daemonMs.push((cpuMs(pid) - used) / BATCH);
        baseline.push(rate(BATCH, await timed(() => bare.insert(BATCH))));
        alone.push(rate(ALONE, await timed(() => sendAll(ALONE, 1))));
      }
      const commits = await countCommits(home.database, () => sendAll(COUNTED, SENDERS));
      const note =
        `${number(COUNTED / commits)} messages a commit; a single sender: ${number(median(alone))} /s; ` +
        `the daemon uses ${number(median(daemonMs))} ms of CPU a message`;
      return { ours, baseline, unit: '/s', note };
    } finally {
      senders.close();
      bare.close();
    }
  });

const rate = (count, ms) => (count * 1000) / ms;

// The same tables, indexes and statements as the daemon's, and the same promise: on disk before the next one starts.
class BareInserts {
  #database;
  #to;
  #count = 0;
  #one;

  constructor(file, daemonFile, to) {
    this.#database = openDatabase(file);
    this.#to = to;
    migrate(this.#database);
    const theirs = openDatabase(daemonFile, { readonly: true });
    for (const row of theirs.prepare('SELECT * FROM sessions').all()) this.#run(insertSession(row));
    theirs.close();
    this.#database.pragma('synchronous = FULL');
    const statements = new Map();
    const step = ({ sql, values }) => {
      if (!statements.has(sql)) statements.set(sql, this.#database.prepare(sql));
      statements.get(sql).run(...values);
    };
    this.#one = this.#database.transaction((message) => {
      step(insertMessage(message));
      step(insertEvent(message.id, message.createdAt, 'queued', '{}'));
    });
  }

  insert(count) {
    for (let i = 0; i < count; i++) {
      const id = (++this.#count * 2_654_435_761).toString(16).padStart(12, '0').slice(-12);
      const recipient = this.#to[i % this.#to.length];
      this.#one(messageOf(id, recipient, TEXT));
    }
  }

  #run({ sql, values }) {
    this.#database.prepare(sql).run(...values);
  }

  close() {
    this.#database.close();
  }
}
