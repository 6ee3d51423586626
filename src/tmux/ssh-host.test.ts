// An ssh that runs here what it is told to run there: what goes wrong on the way is the choice of each test.
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { SshHost } from './ssh-host.js';

// Each connection leaves its process id; none is made while there is a file `closed`.
const SSH = `#!/bin/sh
case "$*" in
*ControlMaster=yes*)
  if [ -e "$PLACE/closed" ]; then echo x >>"$PLACE/refused"; echo 'Connection refused' >&2; exit 255; fi
  echo $$ >>"$PLACE/connections" ;;
esac
while [ "$1" != -- ]; do shift; done
exec sh -c "$3"
`;

// Its clients stay until they are ended.
const TMUX = '#!/bin/sh\nif [ "$1" = -V ]; then echo tmux 3.4; else exec cat; fi\n';

class Scene {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smh-'));
  now = 1_000_000;
  isNeeded = true;
  prepared = 0;
  readonly host: SshHost;
  readonly #clients: ChildProcess[] = [];

  constructor() {
    fs.writeFileSync(this.file('ssh'), SSH, { mode: 0o700 });
    fs.writeFileSync(this.file('tmux'), TMUX, { mode: 0o700 });
    const env = { ...process.env, PLACE: this.folder, PATH: `${this.folder}:${process.env.PATH}` };
    this.host = new SshHost({
      name: 'box',
      settings: { destination: 'far', config: undefined, folder: this.folder, env },
      mark: 'sm-test',
      clock: () => this.now,
      chance: () => 0,
      prepare: async () => {
        this.prepared++;
      },
      isNeeded: () => this.isNeeded,
      log: () => {},
    });
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  lines(name: string): string[] {
    return fs.existsSync(this.file(name)) ? fs.readFileSync(this.file(name), 'utf8').trim().split('\n') : [];
  }

  // All channels of the connections that there are.
  fill(): void {
    while (this.host.hasRoom) this.#clients.push(this.host.open([]));
  }

  dispose(): void {
    for (const client of this.#clients) client.kill();
    this.host.dispose();
    fs.rmSync(this.folder, { recursive: true });
  }
}

const scenes: Scene[] = [];
const scene = (): Scene => {
  const made = new Scene();
  scenes.push(made);
  return made;
};
afterEach(() => {
  vi.useRealTimers();
  for (const one of scenes.splice(0)) one.dispose();
});

test('a script that does not come back in time fails alone', async () => {
  const { host, folder } = scene();
  await host.reach();
  expect(await host.execute('exec sleep 100', 100)).toBeUndefined();
  expect(host.state.kind).toBe('up');
  expect(await host.execute('pwd; echo e >&2; exit 3', 20_000)).toEqual({
    code: 3,
    stdout: `${folder}\n`,
    stderr: 'e\n',
  });
});

test('a connection that nobody has needed for a minute is let go of, and made again on demand', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const one = scene();
  const { host } = one;
  await host.reach();
  const pass = (ms: number): void => {
    one.now += ms;
    vi.advanceTimersByTime(5000);
  };
  pass(61_000);
  expect(host.state.kind).toBe('up');
  one.isNeeded = false;
  pass(59_000);
  expect(host.state.kind).toBe('up');
  // Whoever asks for it begins the minute anew.
  await host.script(':');
  pass(59_000);
  expect(host.state.kind).toBe('up');
  pass(1000);
  expect(host.state.kind).toBe('idle');
  expect(host.connections).toBe(0);
  await host.reach();
  expect(one.lines('connections')).toHaveLength(2);
});

test('with any connection the machine is lost, and prepared anew before clients come', async () => {
  const one = scene();
  const { host } = one;
  await host.reach();
  one.fill();
  expect(await host.room()).toBe(true);
  expect([host.connections, one.prepared]).toEqual([2, 1]);
  const down = new Promise<string>((resolve) => {
    host.onState((state) => state.kind === 'down' && resolve(state.reason));
  });
  process.kill(Number(one.lines('connections')[1]), 'SIGKILL');
  expect(await down).toMatch(/the connection was lost/);
  expect(host.connections).toBe(0);
  await host.reach();
  expect([host.connections, one.prepared]).toEqual([1, 2]);
});

test('a machine that takes no further connection is asked once for all who wait for one', async () => {
  const one = scene();
  const { host } = one;
  await host.reach();
  one.fill();
  fs.writeFileSync(one.file('closed'), '');
  expect(await Promise.all([host.room(), host.room()])).toEqual([false, false]);
  expect(await host.room()).toBe(false);
  expect(one.lines('refused')).toHaveLength(1);
  await expect(host.execute(':', 1000)).rejects.toThrow(/box is down: it takes no further channel/);
  fs.rmSync(one.file('closed'));
  await vi.waitUntil(() => host.room(), { timeout: 20_000 });
  expect(host.connections).toBe(2);
});
