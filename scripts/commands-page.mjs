// `npm run commands-page`: writes docs/commands.md from what `sm help` says. With --check it only compares.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { ENTRIES, GROUPS } from '../dist/cli/registry.js';

const FILE = new URL('../docs/commands.md', import.meta.url);
const MAIN = new URL('../dist/cli/main.js', import.meta.url);

const helpOf = (name) =>
  execFileSync(process.execPath, [MAIN.pathname, 'help', name], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  });

const sentence = (summary) => `${summary[0].toUpperCase()}${summary.slice(1)}.`;

function section({ name, summary }) {
  // The first line says what the heading says.
  const text = helpOf(name).split('\n').slice(2).join('\n').trimEnd();
  return `### sm ${name}\n\n${sentence(summary)}\n\n\`\`\`\n${text}\n\`\`\`\n`;
}

const before = fs.readFileSync(FILE, 'utf8');
const head = before.slice(0, before.indexOf('| command | |'));
const index = ENTRIES.map(({ name, summary }) => `| [\`sm ${name}\`](#sm-${name}) | ${summary} |`);
const groups = GROUPS.map((group) =>
  [`## ${group}\n`, ...ENTRIES.filter((entry) => entry.group === group).map(section)].join('\n'),
);
const page = `${head}| command | |\n|---|---|\n${index.join('\n')}\n\n${groups.join('\n')}`;
if (!process.argv.includes('--check')) fs.writeFileSync(FILE, page);
else if (page !== before) {
  console.error('docs/commands.md is not what `sm help` says: run npm run commands-page');
  process.exit(1);
}
