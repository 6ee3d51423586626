// The ways to send in a trial: Suremail, and the recipes that people use instead.
import { sleep } from './wait.mjs';

// `past_draft: now`: deliver without waiting for the person, as far as their draft can be kept safe.
export async function suremail(stage, text) {
  const { client } = stage.place;
  const line = stage.agent.line ? { command: true } : {};
  const request = { to: [stage.session.id], text, ...line };
  const send = (more) => client.send({ ...request, ...more });
  const { messages } = await send({ past_draft: 'now' }).catch((error) => {
    // A build that has no such option yet.
    if (error.status === 400 && JSON.stringify(error.detail).includes('past_draft')) return send({});
    throw error;
  });
  const { id } = messages[0];
  const header = `[Input from: user via sm send] #${id}\n`;
  return {
    mark: stage.agent.line ? text : `#${id}`,
    expected: stage.agent.line ? text : header + text,
    async outcome() {
      const message = await client.message(id);
      const submitted = message.events.findLast(({ kind }) => kind === 'submitted');
      return {
        state: message.state,
        receipt: message.receipt,
        held: message.held,
        detail: message.held_detail,
        heldMs: message.held_ms ?? submitted?.data.heldMs,
        way: message.way ?? message.events.findLast(({ kind }) => kind === 'attempt')?.data.way,
        events: message.events,
      };
    },
    cancel: () => client.cancel(id).catch(() => {}),
  };
}

const SETTLE_MS = 400;
const FIRST_MS = 600;

// Keys pressed blindly: text, a pause, Enter; some press another key first.
const recipe = (title, first) => ({
  title,
  async deliver(stage, text) {
    const { place, session } = stage;
    const keys = (...names) => place.tmux('send-keys', '-t', session.pane, ...names);
    try {
      if (first) {
        keys(first);
        await sleep(first === 'Escape' ? FIRST_MS : 100);
      }
      // A paste into a pane whose program has ended can take the whole tmux server with it.
      if (stage.alive()) {
        place.tmux('set-buffer', '-b', 'recipe', '--', text);
        place.tmux('paste-buffer', '-p', '-r', '-d', '-b', 'recipe', '-t', session.pane);
        await sleep(SETTLE_MS);
        keys('Enter');
      }
    } catch {
      // Its pane may have gone: the truth shows that.
    }
    return {
      blind: true,
      mark: text.split('\n')[0],
      expected: text,
      outcome: async () => ({ state: 'settled', receipt: 'none', held: null }),
      cancel: async () => {},
    };
  },
});

export const RECIPES = {
  paste: recipe('paste, 0.4 s, Enter'),
  escape: recipe('Escape first', 'Escape'),
  'ctrl-u': recipe('Ctrl-U first', 'C-u'),
  'ctrl-c': recipe('Ctrl-C first', 'C-c'),
};

// Where the recipes are tried: three agents, four situations.
export const BASELINE_AGENTS = ['claude', 'codex', 'gemini'];
export const BASELINE_CELLS = ['empty/idle/none', 'one/idle/none', 'one/idle/on', 'empty/dialog/none'];
