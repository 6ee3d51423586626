// A person at the keys of a pane whose machine has another clock.
import { afterAll, expect, test } from 'vitest';
import { TestTmux } from '../../test/support/tmux.js';
import { Person } from '../cli/demo/person.js';
import { LocalTransport, Pane, TmuxServer } from '../tmux/index.js';
import { readScreen } from './pane-screen.js';

const tmux = new TestTmux();
afterAll(() => tmux.dispose());

class Skewed extends LocalTransport {
  override skewS = 0;
}

test.each([-5000, 0, 5000])(
  'whoever typed a moment ago has a line open, whose clock is ahead by %d s',
  async (skewS) => {
    const here = await tmux.pane(['cat']);
    const { sessionId } = here.link;
    const person = await Person.attach(tmux.server.socketArgs, sessionId);
    const transport = new Skewed();
    transport.skewS = skewS;
    const lease = new TmuxServer({ kind: 'name', name: tmux.name }, transport).lease(sessionId);
    try {
      await lease.link.ready();
      const pane = new Pane(lease.link, here.id);
      const openAt = async (now: number): Promise<boolean> =>
        (await readScreen(pane, { history: 0, prompt: '', now, seen: () => {} })).isLineOpen;
      const ours = Date.now() - skewS * 1000;
      expect(await openAt(ours)).toBe(true);
      expect(await openAt(ours + 60_000)).toBe(false);
    } finally {
      lease.dispose();
      await person.leave();
    }
  },
);
