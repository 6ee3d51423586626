// What the doctor found, as a person reads it: first what works, then what needs them.
import type { DoctorReport, Finding, Way } from '../api/types.js';
import { oneLine, paint, plural, say } from './print.js';
import { sayTable } from './table.js';
import { duration } from './time.js';

type Mark = 'good' | 'bad' | 'open';
const MARKS = { good: ['ok', 'green'], bad: ['!!', 'red'], open: ['--', 'yellow'] } as const;

const line = (mark: Mark, name: string, text: string): void => {
  const [sign, style] = MARKS[mark];
  say(`${paint(style, sign)}  ${name.padEnd(8)}  ${oneLine(text)}`);
};

export function sayReport(report: DoctorReport): void {
  const { daemon, database, tmux, hold, config, checks, sessions, findings } = report;
  const bad = (about: string): Mark =>
    findings.some((finding) => finding.level === 'problem' && finding.about === about) ? 'bad' : 'good';
  line(bad('daemon'), 'daemon', `suremail ${daemon.version}, node ${daemon.node}, home ${daemon.home}`);
  line(bad('database'), 'database', `${database.file}, ${database.detail}`);
  line(bad('tmux'), 'tmux', `${tmux.version} (needs ${tmux.needs})`);
  const held = hold.ms === null ? '' : `; the keys waited ${duration(hold.ms)}`;
  line(hold.state === 'works' ? 'good' : hold.state === 'fails' ? 'bad' : 'open', 'hold', hold.detail + held);
  line(bad('config'), 'config', configLine(config));
  for (const { about, detail } of checks) line(bad(about), about, detail);
  for (const session of sessions) {
    const { name, agent, version, state, past_draft, door, ways } = session;
    say(
      `\n${paint('bold', name)}: ${agent}${version === null ? '' : ` ${version}`}, ${state}, past_draft ${past_draft}`,
    );
    if (door)
      say(`  door ${door.name}: ${door.state}${door.reason === null ? '' : `, ${oneLine(door.reason)}`}`);
    if (ways.length === 0) say('  no way in');
    else sayWays(ways);
  }
  sayFindings(findings);
}

function configLine({ file, exists, state, values }: DoctorReport['config']): string {
  const set = values.filter(({ from }) => from === 'file').length;
  if (state === 'broken') return `${file} is refused; the last good one holds`;
  return exists ? `${file}, ${plural(set, 'value')} set` : `${file} sets nothing`;
}

function sayWays(ways: readonly Way[]): void {
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  sayTable(
    [
      { title: '  WAY' },
      { title: 'READS' },
      { title: 'PROVES BACK BY' },
      { title: 'CARET' },
      { title: 'FOCUS' },
      { title: 'KEYS' },
      { title: 'NOTE', text: true },
    ],
    ways.map(({ protocol, reads, proves_restore, restores_caret, proves_focus, keys, note }) => [
      `  ${protocol}`,
      reads,
      proves_restore,
      yes(restores_caret),
      yes(proves_focus),
      oneLine(keys.join(' ')) || '-',
      oneLine(note ?? ''),
    ]),
  );
}

function sayFindings(findings: readonly Finding[]): void {
  say();
  const problems = findings.filter(({ level }) => level === 'problem');
  for (const { level, about, message, advice } of findings) {
    say(`${paint(level === 'problem' ? 'red' : 'dim', level)}: ${about}: ${oneLine(message)}`);
    if (advice !== null) say(`    ${oneLine(advice)}`);
  }
  say(
    problems.length === 0
      ? paint('green', 'nothing needs your attention')
      : paint('red', `${plural(problems.length, 'thing needs', 'things need')} your attention`),
  );
}
