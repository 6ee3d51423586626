// The CPU of a daemon with 100 idle sessions, in percent of one core, against one without sessions over the same time.
import { Place } from './lib/place.mjs';
import { number } from './lib/table.mjs';
import { childrenOf, cpuMs, privateMb, rssMb } from './lib/usage.mjs';
import { sleep } from './lib/wait.mjs';

export const name = 'idle';
export const title = 'CPU with 100 idle sessions, % of one core; baseline: a daemon without sessions';
export const budget = { value: 1 };

const SESSIONS = 100;
const WINDOW_MS = 20_000;
// What starting has left to do is no idling: rests are learned, garbage is collected.
const SETTLE_MS = 3000;

export const run = () =>
  Place.use(async (place) => {
    place.pane(['cat']);
    const [busy, bare] = await Promise.all([place.daemon('full'), place.daemon('bare')]);
    const tmux = Number(place.tmux('display-message', '-p', '#{pid}'));
    const before = { daemon: rssMb(busy.pid), tmux: rssMb(tmux) };
    const starting = Date.now();
    for (let i = 0; i < SESSIONS; i++)
      await busy.client.start({
        command: ['cat'],
        name: `idle${i}`,
        socket: place.tmuxSocket,
        cwd: place.folder,
      });
    const startMs = (Date.now() - starting) / SESSIONS;
    await sleep(SETTLE_MS);
    const links = childrenOf(busy.pid);
    const linksMs = () => links.reduce((sum, pid) => sum + cpuMs(pid), 0);
    const watched = {
      ours: () => cpuMs(busy.pid),
      bare: () => cpuMs(bare.pid),
      tmux: () => cpuMs(tmux),
      links: linksMs,
    };
    const shares = await measure(watched);
    const { sessions } = await busy.client.status();
    if (sessions.live !== SESSIONS) throw new Error(`${sessions.live} of ${SESSIONS} sessions are live`);
    const linkMemory = links.reduce((sum, pid) => sum + privateMb(pid), 0);
    const note =
      `the tmux server ${number(shares.tmux)} %, our ${links.length} control clients ${number(shares.links)} %; ` +
      `memory without and with ${SESSIONS} sessions: daemon ${number(before.daemon)} and ${number(rssMb(busy.pid))} MB, ` +
      `tmux ${number(before.tmux)} and ${number(rssMb(tmux))} MB, control clients ${number(linkMemory)} MB of their own; ` +
      `${number(startMs)} ms to start one`;
    return { ours: [shares.ours], baseline: [shares.bare], unit: '%', note };
  });

// CPU shares in percent of a core, of all that is watched over the same time.
async function measure(watched) {
  const look = () => Object.values(watched).map((used) => used());
  const start = performance.now();
  const before = look();
  await sleep(WINDOW_MS);
  const after = look();
  const passed = performance.now() - start;
  return Object.fromEntries(
    Object.keys(watched).map((key, i) => [key, (100 * (after[i] - before[i])) / passed]),
  );
}
