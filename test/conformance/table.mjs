// docs/agents.md, from what was measured: nothing in it is written by hand but the words around the tables.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { AGENTS } from './agents.mjs';
import { cellsOf, DRAFTS, isQuick, LEFT_OUT, STATES, TYPING, VIM } from './cells.mjs';
import { EDITORS } from './editors.mjs';
import { BASELINE_AGENTS, BASELINE_CELLS, DOOR_CELLS, OLDER_DOOR_CELLS, RECIPES } from './letters.mjs';
import { OLDER } from './packages.mjs';
import { SUBJECTS, subjectOf, versionOf } from './stage.mjs';

const INTRO = `# Agents: what was measured

Made by \`npm run conformance\`; do not edit. Real agents, offline, each in a tmux pane started by \`sm new\`, with a simulated
person at a real tmux client and a stand-in model that records what arrives.

## How to read it

| word | meaning |
|---|---|
| a time | **exact**: the message reached the model exactly, once and alone, within that time; nothing else was submitted; no command was approved; no running turn was cut off; the draft, read afterwards with the agent's own editor key, is byte for byte what the person's keys make. In a dialog, in copy mode and during a turn the time counts from its end |
| waits: *reason* | the message was held, said why, and nothing was harmed. Not a success: it arrives when the reason is gone |
| **fails**: *why* | one of those promises was broken |
| error | the scene could not be set |
| · | not run with this version of the code |
| – | left out, see below |

Blanks at the end of a message are not compared: most agents cut them, one adds one.
`;

const REPRODUCE = `## How to reproduce it

\`\`\`
npm run conformance                        # everything; goes on where it stopped (an hour or two)
npm run conformance -- --quick             # a few cells of each agent, at most 10 minutes
npm run conformance -- claude --only 'one/*' --fresh
npm run conformance -- claude@2.0.77       # another version of an agent, with a few cells
\`\`\`

Agents are installed from the npm registry, at the versions above, into \`~/.cache/suremail/agents\` (\`SM_AGENTS_CACHE\`), about
2 GB. Results and, for what failed, the screen, the keys and the message's events are kept there too. No network, account or key is
needed once they are installed. Each agent has a HOME of its own; yours is not touched.

\`npm run soak -- AGENT --deliveries 200 --seed 1\` lets the person type without end while messages are delivered and the daemon
is killed again and again.
`;

const seconds = (ms) => (ms < 995 ? `${Math.round(ms / 10) * 10} ms` : `${(ms / 1000).toFixed(1)} s`);

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] : undefined;
}

function shown(rows) {
  if (!rows.length) return '·';
  const bad = rows.find(({ outcome }) => outcome === 'fails');
  const share =
    rows.length > 1 ? ` (${rows.filter(({ outcome }) => outcome === 'exact').length}/${rows.length})` : '';
  if (bad) return `**fails**: ${[...bad.faults, bad.note].filter(Boolean).join(', ')}${share}`;
  const waits = rows.find(({ outcome }) => outcome === 'waits');
  if (waits) return `waits: ${waits.reason}${share}`;
  const exact = rows.filter(({ outcome }) => outcome === 'exact');
  return exact.length
    ? seconds(
        quantile(
          exact.map(({ ms }) => ms),
          0.5,
        ),
      ) + share
    : 'error';
}

const table = (head, body) =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

// A heading and its table; '' when nothing of it was run. What was not run is counted in the summary, not shown line by line.
// The first `named` columns say what the line is about.
function section(title, head, body, { named = 1, intro = '' } = {}) {
  const measured = body.filter((cells) => cells.slice(named).some((cell) => cell !== '·' && cell !== '–'));
  return measured.length ? `## ${title}\n\n${intro}${table(head, measured)}\n` : '';
}

export function page(rows, code) {
  const finder = (by) => (agent, cell) =>
    rows.filter(
      (row) => row.agent === agent && row.cell === cell && row.by === by && row.version === versionOf(agent),
    );
  const ours = finder('suremail');
  const parts = [
    INTRO,
    `Code \`${code}\`, ${tmuxVersion()}, node ${process.versions.node}, ${os.type()}, ${os.cpus().length} cores.\n`,
    '## Summary\n',
    summary(rows),
    ...matrix(ours),
    doorTable(finder('door')),
    olderTable(finder),
    vimTable(ours),
    editorTable(ours),
    baselines(finder),
    '## Left out\n',
    table(['combination', 'why'], LEFT_OUT) + '\n',
    REPRODUCE,
  ];
  return parts.filter(Boolean).join('\n');
}

function summary(rows) {
  const head = [
    'program',
    'version',
    'exact',
    'waits',
    'fails',
    'not run',
    'time p50',
    'keys held p50 / p95',
  ];
  const body = Object.entries(SUBJECTS).map(([name, agent]) => {
    const mine = rows.filter((row) => row.agent === name && row.by === 'suremail');
    const count = (outcome) => mine.filter((row) => row.outcome === outcome).length;
    const ids = new Set(mine.filter(({ outcome }) => outcome !== 'error').map(({ cell }) => cell));
    const times = mine.filter(({ outcome }) => outcome === 'exact').map(({ ms }) => ms);
    const held = mine.map(({ heldMs }) => heldMs).filter((ms) => typeof ms === 'number');
    return [
      agent.title,
      versionOf(name) ?? 'not installed',
      count('exact'),
      count('waits'),
      count('fails'),
      cellsOf(agent).filter(({ id }) => !ids.has(id)).length,
      times.length ? seconds(quantile(times, 0.5)) : '·',
      held.length ? `${seconds(quantile(held, 0.5))} / ${seconds(quantile(held, 0.95))}` : '·',
    ];
  });
  return table(head, body) + '\n';
}

function matrix(find) {
  const parts = [];
  for (const [state, { title }] of Object.entries(STATES))
    for (const [typing, { title: how }] of Object.entries(TYPING)) {
      const body = Object.entries(DRAFTS).map(([draft, { title: what }]) => [
        what,
        ...Object.entries(AGENTS).map(([name, agent]) => {
          const id = `${draft}/${state}/${typing}`;
          return cellsOf(agent).some((cell) => cell.id === id) ? shown(find(name, id)) : '–';
        }),
      ]);
      const head = ['draft', ...Object.values(AGENTS).map((agent) => agent.title)];
      parts.push(section(`${title[0].toUpperCase()}${title.slice(1)}, ${how}`, head, body));
    }
  return parts;
}

function doorTable(find) {
  const agents = Object.entries(AGENTS).filter(([, agent]) => agent.door);
  const body = DOOR_CELLS.map((id) => [situationOf(id), ...agents.map(([name]) => shown(find(name, id)))]);
  const intro = `Another agent's mail, with \`use_doors: true\`: exact also means that it went by the door and that its receipt came to
\`done\`; in copy mode it need not wait, since no key is pressed. All the other tables are of the input box, with \`use_doors: false\`.\n\n`;
  return section(
    "Through the agent's own door",
    ['situation', ...agents.map(([, { title }]) => title)],
    body,
    { intro },
  );
}

const situationOf = (id) => {
  const [draft, state, typing] = id.split('/');
  return `${DRAFTS[draft].title}, ${STATES[state].title}, ${TYPING[typing].title}`;
};

// Which way the message took is what differs between versions.
function olderTable(finder) {
  const byWay = (rows) => {
    const ways = new Set(rows.filter(({ outcome }) => outcome === 'exact').map(({ way }) => way));
    return [shown(rows), ...ways].join(', ');
  };
  const lines = (by, what, ids) =>
    ids.map((id) => [what, situationOf(id), ...OLDER.map((name) => byWay(finder(by)(name, id)))]);
  const quick = cellsOf(AGENTS.claude).filter((cell) => isQuick(AGENTS.claude, cell));
  const box = quick.map(({ id }) => id);
  const body = [...lines('door', 'agent', OLDER_DOOR_CELLS), ...lines('suremail', 'person', box)];
  const intro = `The way that was taken stands behind the time. What another agent sends (\`use_doors: true\`) must go by the door
where the version has one, and everywhere come to \`done\`; what a person sends (\`use_doors: false\`) goes through the box.\n\n`;
  const head = ['sender', 'situation', ...OLDER.map((name) => subjectOf(name).title)];
  return section('Older versions', head, body, { named: 2, intro });
}

function vimTable(find) {
  const agents = Object.entries(AGENTS).filter(([, agent]) => agent.vim);
  const ids = cellsOf(agents[0][1]).filter(({ vim }) => vim);
  const body = VIM.flatMap((mode) =>
    ids
      .filter(({ vim }) => vim === mode)
      .map(({ id, draft }) => [
        mode.toUpperCase(),
        DRAFTS[draft].title,
        ...agents.map(([name]) => shown(find(name, id))),
      ]),
  );
  return section('Vim keys, idle', ['mode', 'draft', ...agents.map(([, { title }]) => title)], body, {
    named: 2,
  });
}

function editorTable(find) {
  const ids = [
    ...new Map(
      Object.values(EDITORS)
        .flatMap(cellsOf)
        .map((cell) => [cell.id, cell]),
    ).values(),
  ];
  const body = ids.map(({ id, draft, state, typing }) => [
    DRAFTS[draft].title,
    `${STATES[state].title}, ${TYPING[typing].title}`,
    ...Object.keys(EDITORS).map((name) => shown(find(name, id))),
  ]);
  const head = ['draft', 'state', ...Object.values(EDITORS).map(({ title }) => title)];
  const intro = 'The text goes without a header there, as one line.\n\n';
  return section('Line editors', head, body, { named: 2, intro });
}

function baselines(finder) {
  const body = BASELINE_CELLS.flatMap((id) => {
    const situation = situationOf(id);
    const line = (title, find) => [situation, title, ...BASELINE_AGENTS.map((name) => shown(find(name, id)))];
    return [
      line('Suremail', finder('suremail')),
      ...Object.entries(RECIPES).map(([by, { title }]) => line(title, finder(by))),
    ];
  });
  const head = ['situation', 'recipe', ...BASELINE_AGENTS.map((name) => AGENTS[name].title)];
  const intro = "Text by tmux's paste, a pause, Enter, in the same scenes.\n\n";
  return section('What the common recipes give instead', head, body, { named: 2, intro });
}

function tmuxVersion() {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim();
  } catch {
    return 'tmux';
  }
}
