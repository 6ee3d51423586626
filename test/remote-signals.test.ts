// Signals of agents on another machine: by marker alone, each once, also those that were printed while nobody could hear them.
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Far, NO_SSHD } from './support/far.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

describe.skipIf(NO_SSHD)('an agent on another machine', () => {
  let far: Far;
  let world: World;
  beforeAll(async () => {
    far = new Far();
    await far.start();
    world = await World.start({ SM_SSH_CONFIG: far.config });
    await world.client.addHost({ name: 'box', destination: 'far' });
  });
  afterAll(async () => {
    await world.dispose();
    await far.dispose();
  });

  const messages = async (): Promise<string[]> =>
    (await world.client.signals({ session: 'speaker' })).map(({ message }) => message);

  test('is heard while connected, and after a cut what it said meanwhile, in order and once', async () => {
    const file = far.file('said');
    fs.writeFileSync(file, '');
    const say = (text: string): void => fs.appendFileSync(file, `--<[sm:needs_input:${text}]>--\n`);
    await world.client.start({ host: 'box', command: ['tail', '-f', file], name: 'speaker' });
    say('one');
    await until(async () => (await messages()).length === 1, 'the first');
    await far.stop();
    for (const text of ['two', 'three', 'four']) say(text);
    await until(
      () => far.tmux('capture-pane', '-p', '-t', 'speaker').includes('four'),
      'the terminal there to show them',
    );
    await far.listen();
    await world.client.checkHost('box');
    await until(async () => (await messages()).length >= 4, 'those that were said meanwhile');
    say('five');
    await until(async () => (await messages()).includes('five'), 'the last');
    expect(await messages()).toEqual(['one', 'two', 'three', 'four', 'five']);
    // Neither a restart nor a new connection says anything again.
    await world.kill9();
    say('six');
    await world.startDaemon();
    await until(async () => (await messages()).includes('six'), 'what was said while no daemon ran');
    far.cut();
    await until(
      async () => (await world.client.session('speaker')).host_down !== null,
      'the host to be down',
    );
    await until(async () => (await world.client.session('speaker')).host_down === null, 'the host to be up');
    say('seven');
    await until(async () => (await messages()).includes('seven'), 'the very last');
    expect(await messages()).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  });

  test('is told so, where its command line can tell it', async () => {
    const bin = far.file('claude');
    const out = far.file('told');
    fs.writeFileSync(bin, `#!/bin/sh\nprintf '%s\\n' "$@" > ${out}.new; mv ${out}.new ${out}; exec cat\n`, {
      mode: 0o700,
    });
    await world.client.start({ host: 'box', command: [bin] });
    await until(() => fs.existsSync(out), 'the agent to run');
    expect(fs.readFileSync(out, 'utf8')).toMatch(
      /^--append-system-prompt\nMessages that begin .*--<\[sm:STATE:/,
    );
    fs.rmSync(out);
    await world.client.start({ host: 'box', command: [bin], signals: false });
    await until(() => fs.existsSync(out), 'the agent to run');
    expect(fs.readFileSync(out, 'utf8')).not.toContain('--<[');
  });
});
