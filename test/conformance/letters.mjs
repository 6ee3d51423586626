// The ways to send in a trial: Suremail, and the recipes that people use instead.
import { sleep } from './wait.mjs';

// `past_draft: now`: deliver without waiting for the person, as far as their draft can be kept safe.
export async function suremail(stage, text) {
  const line = stage.agent.line ? { command: true } : {};
  const id = await send(stage, { text, past_draft: 'now', ...line });
  const header = `[Input from: user via sm send] #${id}\n`;
  return letter(stage, id, {
    mark: stage.agent.line ? text : `#${id}`,
    expected: stage.agent.line ? text : header + text,
  });
}

// As another agent sends: what can go through the recipient's own door does.
export async function throughDoor(stage, text) {
  const { id: sender, name } = stage.session;
  const id = await send(stage, { text, from: { session: sender } });
  const header = `[Input from: ${name} (${sender}) via sm send] #${id}\n`;
  return letter(stage, id, {
    mark: `#${id}`,
    expected: header + text,
    wants: { way: stage.takesByDoor ? 'door' : 'box', receipt: 'done' },
  });
}

const send = async ({ place, session }, request) =>
  (await place.client.send({ to: [session.id], ...request })).messages[0].id;

function letter({ place: { client } }, id, known) {
  return {
    ...known,
    async outcome() {
      const message = await client.message(id);
      return {
        state: message.state,
        receipt: message.receipt,
        held: message.held,
        detail: message.held_detail,
        heldMs: message.held_ms,
        way: message.way,
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

// Where each agent's own door is tried: a door does not touch the box, so few drafts tell as much as many.
const cells = (drafts, states) => drafts.flatMap((draft) => states.map((state) => `${draft}/${state}/none`));
export const OLDER_DOOR_CELLS = cells(['empty', 'one'], ['idle', 'busy', 'dialog']);

export const DOOR_CELLS = [
  'empty/idle/none',
  'five/idle/none',
  'middle/idle/none',
  'paste/idle/none',
  'one/idle/on',
  'empty/busy/none',
  'five/busy/none',
  'one/busy/on',
  'one/dialog/none',
  'one/copy/none',
];
