// Another real agent beside one that is there: a session of its own, the same place, daemon and model.
import path from 'node:path';
import type { Session } from '../../src/api/types.js';
import { binFolder, type RealAgent, sleep } from './real-agent.js';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`../conformance/${file}`, import.meta.url).href);
const { install } = await load('packages.mjs');
const { SUBJECTS, versionOf } = await load('stage.mjs');

interface Wanted {
  kind: 'claude' | 'codex';
  name: string;
  // Of its own command line.
  options?: string[];
  door?: 'open' | 'shut';
}

// With its door as wanted, and ready for keys.
export async function startBeside(
  by: RealAgent,
  { kind, name, options = [], door = 'open' }: Wanted,
): Promise<Session> {
  const { place, model } = by.stage;
  const subject = SUBJECTS[kind];
  install(kind, (line: string) => console.log(line));
  const context = { url: model.url, cwd: place.cwd, version: versionOf(kind), vim: false };
  if (subject !== by.stage.agent) place.write(place.home, subject.files(context));
  const env = Object.entries(subject.env(context)).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const words = ['new', '--json', '--name', name, '--cwd', place.cwd, ...env, '--socket', place.tmuxSocket];
  const program = [path.join(binFolder(kind), kind), ...options];
  const session: Session = JSON.parse(await place.sm([...words, '--', ...program]));
  const screen = (): string => place.tmux('capture-pane', '-p', '-t', session.pane);
  await by.eventually(() => subject.ready(screen()), `${name} shows its box`, screen);
  await by.whenDoor(door, session.id);
  await sleep(subject.settleMs);
  return session;
}
