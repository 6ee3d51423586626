// The doctor: looks at all that deliveries depend on, tries what can be tried without harm, and says what to do.
import type { ConfigReport, DoctorReport, DoorInfo, Finding } from '../api/types.js';
import { type Config, pastDraftOf } from '../mail/index.js';
import type { Registry, Session } from '../sessions/index.js';
import type { NearMiss } from '../signals/index.js';
import type { DraftRow } from '../store/index.js';
import { HostDown } from '../tmux/index.js';
import type { AgentFiles } from './agent-files.js';
import type { DatabaseTrial } from './database-check.js';
import { type Checked, note, problem } from './finding.js';
import type { HoldTrial } from './hold-trial.js';
import { ofNearMisses } from './near-miss-findings.js';
import type { SessionWays } from './ways.js';

export interface DoctorDeps {
  registry: Registry;
  version: string;
  home: string;
  // As `tmux -V` prints it.
  tmuxVersion: () => Promise<string>;
  settings: Config;
  config: ConfigReport;
  agentFiles: AgentFiles;
  // The version of its agent, where it is known, and the ways in that it may use, in order.
  sessionWays: (session: Session) => Promise<SessionWays>;
  // What was taken from its input box and is not known to be back, except by a delivery that is under way.
  missingDrafts: (session: Session) => readonly DraftRow[];
  // What was taken from input boxes of sessions that are no more.
  orphanDrafts: () => readonly DraftRow[];
  // What it almost reported.
  nearMisses: (session: Session) => readonly NearMiss[];
  tryHold: () => Promise<HoldTrial>;
  tryDatabase: () => Promise<DatabaseTrial>;
  doorOf: (session: Session) => DoorInfo | null;
  // Files, socket, disk, clock, hooks, versions.
  checks: () => readonly Checked[];
}

const RESTART = 'run "sm down" and then "sm up"; sessions and messages stay';
const NEEDS = { major: 3, minor: 3 };

export async function examine(deps: DoctorDeps, client: string | undefined): Promise<DoctorReport> {
  const { registry, version, home, config, settings } = deps;
  const tmuxVersion = await deps.tmuxVersion();
  const supported = isSupported(tmuxVersion);
  const hold: HoldTrial = supported
    ? await deps.tryHold()
    : { state: 'untried', detail: 'this tmux is not supported', ms: null };
  const database = await deps.tryDatabase();
  const sessions = registry.list();
  const checks = deps.checks();
  const found = await Promise.all(sessions.map((session) => deps.sessionWays(session)));
  const findings = [
    ...ofDaemon(version, client),
    ...ofDatabase(database),
    ...ofTmux(tmuxVersion, supported),
    ...(await ofServers(registry, sessions)),
    ...ofHold(hold),
    ...ofConfig(config),
    ...checks.flatMap((check) => check.findings),
    ...ofAgentFiles(deps.agentFiles),
    ...sessions.flatMap((session, i) => [
      ...ofSession(session, found[i], deps.doorOf(session)),
      ...ofDrafts(session, deps.missingDrafts(session)),
      ...ofNearMisses(session, deps.nearMisses(session)),
    ]),
    ...ofOrphans(deps.orphanDrafts()),
  ];
  return {
    ok: !findings.some(({ level }) => level === 'problem'),
    daemon: { version, node: process.version, pid: process.pid, home },
    tmux: { version: tmuxVersion, supported, needs: `tmux ${NEEDS.major}.${NEEDS.minor} or newer` },
    database: { file: database.file, state: database.state, detail: database.detail },
    hold,
    config,
    checks: checks.map(({ about, detail }) => ({ about, detail })),
    sessions: sessions.map((session, i) => ({
      id: session.id,
      name: session.name,
      agent: session.row.agent,
      version: found[i]?.version ?? null,
      state: session.row.state,
      past_draft: pastDraftOf(null, session.row, settings),
      door: deps.doorOf(session),
      ways: found[i]?.ways ?? [],
    })),
    findings,
  };
}

// "tmux 3.3a", "tmux next-3.5", "tmux openbsd-7.4"; what has no number we know is tried rather than refused.
export function isSupported(version: string): boolean {
  if (/^tmux (?:master|openbsd-)/.test(version)) return true;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > NEEDS.major || (Number(major) === NEEDS.major && Number(minor) >= NEEDS.minor);
}

function ofDaemon(version: string, client: string | undefined): Finding[] {
  if (client === undefined || client === version) return [];
  const message = `the daemon that runs is version ${version}, this sm is ${client}`;
  return [problem('daemon', message, RESTART)];
}

const ofDatabase = (trial: DatabaseTrial): Finding[] =>
  trial.state === 'works' ? [] : [problem('database', trial.detail, trial.advice)];

function ofTmux(version: string, supported: boolean): Finding[] {
  if (supported) return [];
  const found = version.startsWith('tmux') ? `${version} is too old` : 'tmux was not found';
  return [problem('tmux', found, `install tmux ${NEEDS.major}.${NEEDS.minor} or newer`)];
}

// A server goes on as the version that started it, whatever is installed since.
async function ofServers(registry: Registry, sessions: readonly Session[]): Promise<Finding[]> {
  const sockets = new Set(sessions.filter(({ row }) => row.state === 'live').map(({ row }) => row.socket));
  const found = await Promise.all(
    [...sockets].map(async (socket): Promise<Finding[]> => {
      const ask = async () => registry.deps.servers.at(socket).identity();
      const identity = await ask().catch((error: Error) => error);
      // Told of each of its sessions.
      if (identity instanceof HostDown) return [];
      if (identity instanceof Error)
        return [problem('tmux', `the server at ${socket} does not answer: ${identity.message}`, null)];
      const version = `tmux ${identity.version}`;
      if (isSupported(version)) return [];
      const advice = 'end that server when its sessions can be spared, and start them again';
      return [problem('tmux', `the server at ${socket} runs ${version}, which is too old`, advice)];
    }),
  );
  return found.flat();
}

function ofHold({ state, detail }: HoldTrial): Finding[] {
  if (state !== 'fails') return [];
  const message = `a person's keys cannot be made to wait on this tmux: ${detail}`;
  return [problem('hold', message, 'mail waits for a person to pause before it goes past their draft')];
}

const ofConfig = ({ problem: why, file }: ConfigReport): Finding[] =>
  why === null
    ? []
    : [
        problem(
          'config',
          `${why}; the last good one holds`,
          `correct ${file}: it is read as soon as it is written`,
        ),
      ];

function ofAgentFiles({ folder, state, problem: why, ignored }: AgentFiles): Finding[] {
  if (why !== null)
    return [
      problem(
        'agents',
        `${why}; the last good files of agents hold`,
        'correct it, then "sm down" and "sm up"',
      ),
    ];
  const changed = problem('agents', `${folder} has changed since the daemon read it`, RESTART);
  return [
    ...(state === 'changed' ? [changed] : []),
    ...ignored.map((file) => note('agents', `${file} is not read`, 'its name must end in .yaml or .yml')),
  ];
}

function ofSession(
  { name, row, tracker, composer, profile, host }: Session,
  found: SessionWays | undefined,
  door: DoorInfo | null,
): Finding[] {
  if (row.state === 'gone' || row.state === 'ended') {
    const what = row.state_reason ?? (row.state === 'gone' ? 'its pane is gone' : 'its program has ended');
    return [note(name, what, `"sm kill ${name}" forgets it; what waits for it is cancelled`)];
  }
  if (host !== null && tracker?.pane.link.state.kind !== 'up')
    return [
      problem(
        name,
        `host ${host} is not reached: its mail waits`,
        `"sm host check ${host}" tells what is wrong`,
      ),
    ];
  if (tracker && tracker.pane.link.state.kind !== 'up')
    return [problem(name, 'there is no connection to its tmux server at this moment', null)];
  if (found?.unprepared && host === null) {
    const advice = 'start it with "sm new": then its editor key hands over a draft exactly';
    return [note(name, 'its agent was not started with the editor that hands over drafts', advice)];
  }
  const shut = door?.state === 'shut' ? [ofShutDoor(name, door, profile.door?.hooks && row.agent)] : [];
  if (found?.ways.some(({ protocol }) => protocol !== 'direct')) return shut;
  const message = 'nothing can take a draft out of its input box: mail waits for as long as one is there';
  return [...shut, note(name, message, adviceOn(found?.trial, composer.cursorTells))];
}

// `agent`: where its own settings can take hooks of ours.
function ofShutDoor(name: string, door: DoorInfo, agent: string | undefined): Finding {
  const message = `its door ${door.name} is shut: ${door.reason ?? 'it is not known why'}; mail goes through its input box`;
  const start = 'start it with "sm new"';
  return note(name, message, agent ? `"sm hooks install ${agent}" may open it; or ${start}` : start);
}

const PROFILE = 'a profile of its agent can change that';

// `cursorTells`: whether its cursor was seen to stand where text is typed, without which nothing is tried.
function adviceOn(trial: SessionWays['trial'] | undefined, cursorTells: boolean | undefined): string {
  switch (trial?.state) {
    case 'pending':
      return cursorTells === false
        ? `its editing keys cannot be tried, because its cursor does not stand where text is typed; ${PROFILE}`
        : 'its editing keys have not been tried yet: that is done on its empty box, before the second message that finds it so';
    case 'impossible':
      return trial.why === 'adopted'
        ? `its editing keys are not tried, because it was adopted: start it with "sm new"; or ${PROFILE}`
        : `its editing keys cannot be tried, because its command line does not tell its file; ${PROFILE}`;
    case 'failed':
      return `its editing keys were tried and cannot be used (${trial.why}); ${PROFILE}`;
    default:
      return PROFILE;
  }
}

function ofDrafts({ name }: Session, missing: readonly DraftRow[]): Finding[] {
  const [first, second] = missing;
  if (!first) return [];
  const what = second ? `${missing.length} drafts are` : 'a draft is';
  const advice = `"sm drafts --session ${name}" lists ${second ? 'them' : 'it'}; "sm drafts restore ${first.id}" puts ${second ? 'the first' : 'it'} back`;
  return [problem(name, `${what} not known to be back in its input box`, advice)];
}

// They can only be copied. One finding for each session, under the name that it had.
function ofOrphans(drafts: readonly DraftRow[]): Finding[] {
  const sessions = new Set(drafts.map(({ session_id }) => session_id));
  return [...sessions].flatMap((session) => {
    const [first, ...others] = drafts.filter(({ session_id }) => session_id === session);
    if (!first) return [];
    const what = others.length ? `${others.length + 1} drafts are` : 'a draft is';
    const message = `${what} kept of this session, which is no more, and not known to have been back in its input box`;
    const advice = `"sm drafts show ${first.id}" shows ${others.length ? 'the first' : 'it'}; "sm drafts copy ${first.id}" gives it to you, and ends this notice`;
    return [problem(first.session_name, message, advice)];
  });
}
