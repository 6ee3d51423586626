// What of ours is in a tmux server, and taking it out: variables, paste buffers, key tables and options. Whatever another
// daemon has there, and a hold that is in force, are left alone.
import { journalName } from '../mail/index.js';
import { HoldNames, TABLE_PREFIX, type TmuxServer } from '../tmux/index.js';

export interface OwnPane {
  pane: string;
  origin: 'started' | 'adopted';
}

export interface Traces {
  // One command for each.
  commands: { what: string; args: string[] }[];
  // Panes at which keys are held: the hold ends by itself and takes its traces along.
  held: string[];
}

// What a server says about itself.
export interface ServerTraces {
  // `NAME=value` each.
  variables: readonly string[];
  buffers: readonly string[];
  tables: readonly string[];
  // Panes that stay when their program fails, and those that there are.
  remaining: readonly string[];
}

// Pure. `isAlive`: whether a process with that id runs; a buffer is named after its daemon.
export function tracesIn(
  found: ServerTraces,
  own: readonly OwnPane[],
  { pid, isAlive }: { pid: number; isAlive: (pid: number) => boolean },
): Traces {
  const names = found.variables.map((line) => line.slice(0, line.indexOf('=')));
  const tokens = found.variables.flatMap((line) => /^SMHOLD_\d+_T=(.+)$/.exec(line)?.[1] ?? []);
  const isHeld = ({ pane }: OwnPane): boolean => names.includes(new HoldNames(pane).variable('token'));
  const free = own.filter((each) => !isHeld(each));
  const mine = (name: string): boolean =>
    own.some(({ pane }) => name === journalName(pane)) ||
    free.some(({ pane }) => name.startsWith(new HoldNames(pane).prefix));
  const isLeft = (buffer: string): boolean => {
    const by = Number(/^sm-(\d+)-\d+$/.exec(buffer)?.[1] ?? Number.NaN);
    return by === pid || (by > 0 && !isAlive(by));
  };
  const isOver = (table: string): boolean =>
    table.startsWith(TABLE_PREFIX) && !tokens.some((token) => table.startsWith(`${TABLE_PREFIX}${token}-`));
  const started = own.filter(({ origin, pane }) => origin === 'started' && found.remaining.includes(pane));
  return {
    commands: [
      ...names
        .filter(mine)
        .map((name) => ({ what: `variable ${name}`, args: ['set-environment', '-g', '-u', name] })),
      ...found.buffers
        .filter(isLeft)
        .map((name) => ({ what: `buffer ${name}`, args: ['delete-buffer', '-b', name] })),
      ...[...new Set(found.tables)]
        .filter(isOver)
        .map((name) => ({ what: `key table ${name}`, args: ['unbind-key', '-a', '-q', '-T', name] })),
      ...started.map(({ pane }) => ({
        what: `option remain-on-exit of ${pane}`,
        args: ['set-option', '-p', '-u', '-t', pane, 'remain-on-exit'],
      })),
    ],
    held: own.filter(isHeld).map(({ pane }) => pane),
  };
}

export async function lookForTraces(server: TmuxServer): Promise<ServerTraces> {
  const lines = async (...args: string[]): Promise<string[]> =>
    (await server.fork(['-N', ...args])).split('\n').filter(Boolean);
  const panes = await lines('list-panes', '-a', '-F', '#{pane_id} #{remain-on-exit}');
  return {
    variables: await lines('show-environment', '-g', '-h'),
    buffers: await lines('list-buffers', '-F', '#{buffer_name}'),
    tables: (await lines('list-keys')).flatMap(
      (line) => /^bind-key\s+(?:-r\s+)?-T\s+(\S+)/.exec(line)?.[1] ?? [],
    ),
    remaining: panes.flatMap((line) => /^(%\d+) failed$/.exec(line)?.[1] ?? []),
  };
}
