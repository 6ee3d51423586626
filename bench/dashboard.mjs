// The dashboard in a real Chromium: how soon it is there, how fast a key is echoed, whether a flood makes it stall, and what a
// hundred sessions that print all the time cost the daemon.
import { spawn } from 'node:child_process';
import { chromiumPath, NO_CHROMIUM, openBrowser, openDashboard, openTerminal } from './lib/browser.mjs';
import { closeLater, Place } from './lib/place.mjs';
import { median } from './lib/stats.mjs';
import { number } from './lib/table.mjs';
import { cpuMs } from './lib/usage.mjs';
import { sleep, until } from './lib/wait.mjs';

const SESSIONS = 100;
const LIMIT_MS = 240_000;

const withBrowser = (work) => async () => {
  if (!chromiumPath()) return NO_CHROMIUM;
  return Place.use(async (place) => {
    place.pane(['cat']);
    const daemon = await place.daemon();
    const browser = await openBrowser();
    try {
      return await work({ place, daemon, browser });
    } finally {
      await browser.browser.close();
    }
  });
};

const start = (place, daemon, name, command) =>
  daemon.client.start({ command, name, socket: place.tmuxSocket, cwd: place.folder, width: 100, height: 30 });

// In the page, looked at with each frame.
const ALL_CARDS = `new Promise((resolve) => {
  const look = () =>
    document.querySelectorAll('.card').length === ${SESSIONS} ? resolve(performance.now()) : requestAnimationFrame(look);
  look();
})`;

// From the start of the navigation until every session has its card; baseline: the first paint of the same page.
const firstPaint = withBrowser(async ({ place, daemon, browser }) => {
  for (let i = 0; i < SESSIONS; i++) await start(place, daemon, `s${i}`, ['cat']);
  const page = await openDashboard(browser, daemon);
  const ours = [];
  const baseline = [];
  for (let i = 0; i < 12; i++) {
    await page.reload();
    const shown = await page.evaluate(ALL_CARDS);
    if (i < 2) continue;
    ours.push(shown);
    baseline.push(
      await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`),
    );
  }
  return { ours, baseline, unit: 'ms', note: `baseline: first paint; ${SESSIONS} sessions` };
});

// In the page: from the key until the terminal has drawn what came back for it.
const ECHO = `new Promise((resolve) => {
  const { terminal } = document.querySelector('[data-terminal]');
  let pressed = 0;
  const key = terminal.onKey(() => {});
  const down = () => { pressed = performance.now(); };
  document.addEventListener('keydown', down, { capture: true, once: true });
  const drawn = terminal.onWriteParsed(() => {
    if (!pressed) return;
    key.dispose();
    drawn.dispose();
    resolve(performance.now() - pressed);
  });
})`;
const KEYS = 60;
const BETWEEN_MS = 40;

const echo = withBrowser(async ({ place, daemon, browser }) => {
  const session = await start(place, daemon, 'echo', ['cat']);
  const page = await openDashboard(browser, daemon);
  await openTerminal(page, session);
  const plain = attach(place, session);
  await sleep(1000);
  const ours = [];
  const baseline = [];
  for (let i = 0; i < KEYS; i++) {
    const key = String.fromCharCode(97 + (i % 26));
    const echoed = page.evaluate(ECHO);
    await sleep(BETWEEN_MS);
    await page.keyboard.press(key);
    ours.push(await echoed);
    await sleep(BETWEEN_MS);
    baseline.push(await plain.press(key.toUpperCase()));
    await sleep(BETWEEN_MS);
  }
  plain.close();
  const usual = median(baseline);
  return {
    ours: ours.map((ms) => ms - usual),
    baseline,
    unit: 'ms',
    note: `ours is what a key took more than the baseline; it took ${number(median(ours))} ms in all`,
  };
});

// A plain client of tmux on a terminal of its own.
function attach(place, session) {
  const words = `tmux -u -S ${place.tmuxSocket} attach-session -t '${session.tmux_session}'`;
  const child = spawn('script', ['-qfc', words, '/dev/null'], {
    env: { ...place.environment(place.folder), TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  closeLater({ close: () => child.kill() });
  let heard = () => {};
  child.stdout.on('data', (data) => heard(data.toString('latin1')));
  return {
    press: (key) =>
      new Promise((resolve) => {
        const pressed = performance.now();
        heard = (text) => {
          if (!text.includes(key)) return;
          heard = () => {};
          resolve(performance.now() - pressed);
        };
        child.stdin.write(key);
      }),
    close: () => child.kill(),
  };
}

const FLOOD_MS = 6000;
const WATCH = `(window.tasks = [], new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.tasks.push(duration);
}).observe({ type: 'longtask' }))`;

const flood = withBrowser(async ({ place, daemon, browser }) => {
  const session = await start(place, daemon, 'flood', ['sh']);
  const page = await openDashboard(browser, daemon);
  await openTerminal(page, session);
  await sleep(1500);
  await page.evaluate(WATCH);
  await sleep(FLOOD_MS / 2);
  const before = await page.evaluate('window.tasks.splice(0)');
  place.tmux('send-keys', '-t', session.pane, 'yes', 'Enter');
  await sleep(FLOOD_MS);
  const ours = await page.evaluate('window.tasks.splice(0)');
  place.tmux('send-keys', '-t', session.pane, 'C-c');
  // A task below 50 ms is not told.
  return {
    ours: ours.length ? ours : [0],
    baseline: before.length ? before : [0],
    unit: 'ms',
    note: `${ours.length} tasks over 50 ms in ${FLOOD_MS / 1000} s of flood`,
  };
});

const WINDOW_MS = 20_000;

// Every session prints a line once a second; the page shows them all as cards.
const updates = withBrowser(async ({ place, daemon, browser }) => {
  const script = 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 1; done';
  for (let i = 0; i < SESSIONS; i++) await start(place, daemon, `u${i}`, ['sh', '-c', script]);
  await sleep(3000);
  const share = async () => {
    const [from, used] = [performance.now(), cpuMs(daemon.pid)];
    await sleep(WINDOW_MS);
    return (100 * (cpuMs(daemon.pid) - used)) / (performance.now() - from);
  };
  const alone = await share();
  const page = await openDashboard(browser, daemon);
  await until(async () => (await page.locator('.card').count()) === SESSIONS, 'all cards are there');
  await sleep(2000);
  return { ours: [await share()], baseline: [alone], unit: '%', note: 'baseline: the same without a page' };
});

export const figures = [
  {
    name: 'page',
    title: `the page with ${SESSIONS} sessions, until every card is there; baseline: its first paint`,
    budget: { value: 1000 },
    limitMs: LIMIT_MS,
    run: firstPaint,
  },
  {
    name: 'page, echo',
    title: 'a key in the browser, until it is drawn: more than in a plain attached tmux',
    budget: { value: 15 },
    limitMs: LIMIT_MS,
    run: echo,
  },
  {
    name: 'page, flood',
    title: 'the longest task of the page while `yes` runs in its terminal; baseline: before it',
    budget: { value: 100, at: 1 },
    limitMs: LIMIT_MS,
    run: flood,
  },
  {
    name: 'page, updates',
    title: `CPU of the daemon with ${SESSIONS} sessions that print once a second and a page that shows them, % of a core`,
    budget: { value: 10 },
    limitMs: LIMIT_MS,
    run: updates,
  },
];
