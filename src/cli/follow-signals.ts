// New signals as they come, each once and in order, also over a restart of the daemon.
import fs from 'node:fs';
import { locateHome } from '../api/locate.js';
import type { Signal } from '../api/types.js';
import { brokeOff, type Client, connect, NotRunning } from './connect.js';

const PAGE = 500;

// Never returns by itself.
export async function followSignals(
  about: { session?: string },
  last: Signal | undefined,
  show: (signal: Signal) => void,
): Promise<never> {
  const { folder } = locateHome();
  const client = connect();
  const numberOf = ({ seq, ordinal }: Signal): number => (about.session === undefined ? ordinal : seq);
  let after = last ? numberOf(last) : await newest(client, about, numberOf);
  // The feed only says that there is something: what is shown is read by its number, so that nothing is missed or doubled.
  const readOn = async (): Promise<void> => {
    for (let page: Signal[] = []; ; ) {
      page = await client.signals({ ...about, after, limit: PAGE });
      for (const signal of page) {
        show(signal);
        after = numberOf(signal);
      }
      if (page.length < PAGE) return;
    }
  };
  for (;;) {
    try {
      let reading = Promise.resolve();
      const look = (): void => {
        reading = reading.then(readOn);
        // Thrown where it is waited for.
        reading.catch(() => {});
      };
      for await (const { event } of client.events(undefined, look)) {
        if (event.type === 'signal' || event.type === 'gap') look();
        await reading;
      }
      await reading;
    } catch (error) {
      if (!(error instanceof NotRunning) && !brokeOff(error)) throw error;
    }
    await present(folder);
  }
}

async function newest(
  client: Client,
  about: { session?: string },
  numberOf: (signal: Signal) => number,
): Promise<number> {
  const [signal] = await client.signals({ ...about, limit: 1 });
  return signal ? numberOf(signal) : 0;
}

// Resolves once a daemon answers: one that starts writes into its home when it is ready.
const present = (folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void =>
      void connect()
        .status()
        .then(
          () => {
            watcher.close();
            resolve();
          },
          () => {},
        );
    const watcher = fs.watch(folder, look);
    watcher.on('error', reject);
    look();
  });
