// The clock of another machine: times are told by ours, and compared there by its own.
import { afterAll, expect, test } from 'vitest';
import { TestTmux } from '../../test/support/tmux.js';
import { Pane } from './pane.js';
import { TmuxServer } from './server.js';
import { LocalTransport } from './transport.js';

const tmux = new TestTmux();
afterAll(() => tmux.dispose());

const AHEAD_S = 5000;

class Skewed extends LocalTransport {
  override readonly skewS: number = AHEAD_S;
}

test('a moment of a tmux whose clock is ahead is told by our clock, and guards there by its own', async () => {
  const here = await tmux.pane(['cat']);
  const { tmuxSession, sessionActivity } = await here.view();
  const lease = new TmuxServer({ kind: 'name', name: tmux.name }, new Skewed()).lease(tmuxSession);
  try {
    await lease.link.ready();
    const pane = new Pane(lease.link, here.id);
    const view = await pane.view();
    expect(Math.abs(view.sessionActivity + AHEAD_S - sessionActivity)).toBeLessThan(10);
    const guard = { activity: view.sessionActivity };
    expect(await pane.type('x', guard)).toEqual({ outcome: 'injected' });
    const wrong = { activity: view.sessionActivity + AHEAD_S };
    expect(await pane.type('x', wrong)).toEqual({ outcome: 'refused', reason: 'person_active' });
  } finally {
    lease.dispose();
  }
});
