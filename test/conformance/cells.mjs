// The matrix: drafts, states and ways of typing; which combinations are left out, and why.

const LINES = Array.from({ length: 40 }, (_, i) => `pasted line ${i + 1}, long enough to be folded away`);

// What the person has in the box. `write` is given the typist; `lines: false` marks what a line editor can hold too.
export const DRAFTS = {
  empty: { title: 'empty', write: async () => {} },
  one: { title: 'one line', write: (person) => person.type('half a thought, to be') },
  five: {
    title: 'five lines',
    lines: true,
    write: (person) => person.type('first line\nsecond line\nthird\nfourth line\nfifth'),
  },
  blank: {
    title: 'blank lines inside',
    lines: true,
    write: (person) => person.type('above\n\nbetween\n\n\nbelow'),
  },
  wrapped: {
    title: 'wrapped',
    write: (person) =>
      person.type(
        'a line that goes on and on so that it needs more than one row of the screen '.repeat(2).trim(),
      ),
  },
  trailing: { title: 'trailing blanks', write: (person) => person.type('ends in blanks   ') },
  wide: { title: 'CJK and emoji', write: (person) => person.type('日本語の下書き 😀 naïve 中文 ok') },
  middle: {
    title: 'cursor in the middle',
    // Where the caret was shows only in what is typed next.
    probe: 'XY',
    async write(person) {
      await person.type('left half right half');
      await person.edit('Left', 11);
    },
  },
  paste: { title: 'collapsed paste', lines: true, write: (person) => person.pasteWhole(LINES.join('\n')) },
};

export const STATES = {
  idle: { title: 'idle' },
  busy: { title: 'busy' },
  dialog: { title: 'dialog' },
  copy: { title: 'copy mode' },
};

export const TYPING = {
  none: { title: 'nobody types' },
  paused: { title: 'paused' },
  on: { title: 'typing on' },
};

// Vim keys, where an agent has them: in both modes, with a few drafts.
export const VIM = ['insert', 'normal'];
const VIM_DRAFTS = ['empty', 'one', 'five'];

export const LEFT_OUT = [
  ['typing × dialog', 'a key would answer the dialog: the person would be the one who approves'],
  ['typing × copy mode', 'keys are commands of the mode there, not a draft'],
  ['empty × paused', 'a person who has typed nothing has nothing to pause in'],
  ['dialog × pi', 'it runs commands without asking'],
  ['busy and dialog × line editors', 'they have no turns and no dialogs'],
  ['several lines and pastes × line editors', 'their input has one line'],
  ['vim × OpenCode, pi, Copilot and line editors', 'no vim keys, or none that are switched on in a file'],
];

function makesSense(agent, { draft, state, typing }) {
  if (typing !== 'none' && (state === 'dialog' || state === 'copy')) return false;
  if (draft === 'empty' && typing === 'paused') return false;
  if (state === 'dialog' && !agent.dialog) return false;
  if (agent.line && (state === 'busy' || state === 'dialog' || DRAFTS[draft].lines)) return false;
  return true;
}

const cell = (draft, state, typing, vim) => ({
  id: [draft, state, typing, ...(vim ? [`vim-${vim}`] : [])].join('/'),
  draft,
  state,
  typing,
  vim,
});

export function cellsOf(agent) {
  const all = Object.keys(STATES).flatMap((state) =>
    Object.keys(TYPING).flatMap((typing) => Object.keys(DRAFTS).map((draft) => cell(draft, state, typing))),
  );
  const vim = agent.vim
    ? VIM.flatMap((mode) => VIM_DRAFTS.map((draft) => cell(draft, 'idle', 'none', mode)))
    : [];
  return [...all.filter((one) => makesSense(agent, one)), ...vim];
}

// For --quick: what differs most from each other, so that a few minutes show the most.
const QUICK = new Set([
  'empty/idle/none',
  'five/idle/none',
  'one/idle/on',
  'one/busy/none',
  'empty/dialog/none',
]);
const QUICK_LINE = new Set(['empty/idle/none', 'one/idle/none']);
export const isQuick = (agent, { id }) => (agent.line ? QUICK_LINE : QUICK).has(id);
