// Control clients that a killed daemon left behind: tmux waits to flush what nobody will read, keeps them for good, and
// stops reading a pane that they hold up.
import { CLIENT_FLAGS, HostDown, type SshHost, type TmuxServer } from '../tmux/index.js';
import { readProcess } from './process.js';

// What a client on another machine is marked with.
const CLIENT_MARK = /^sm-[0-9a-f]{12}$/;

export async function endStaleClients(server: TmuxServer): Promise<void> {
  const text = await server
    .fork(['-N', 'list-clients', '-F', '#{client_control_mode} #{client_pid} #{client_termname}'])
    .catch(() => '');
  const pids = text.split('\n').flatMap((line) => {
    const [control, pid, mark = ''] = line.split(' ');
    // Those that a daemon of another machine has here are its own concern.
    return control === '1' && !CLIENT_MARK.test(mark) ? [Number(pid)] : [];
  });
  for (const pid of pids) {
    if (await isStale(pid)) await server.alone(async () => end(pid));
  }
}

// The same on another machine, before any client is opened on a new connection: what is marked as ours is of one that was lost.
export async function endFarClients(server: TmuxServer, host: SshHost): Promise<void> {
  const text = await server
    .fork(['-N', 'list-clients', '-F', '#{client_control_mode} #{client_pid} #{client_termname}'])
    .catch((error: unknown) => {
      if (error instanceof HostDown) throw error;
      return '';
    });
  const pids = text.split('\n').flatMap((line) => {
    const [control, pid, mark] = line.split(' ');
    return control === '1' && mark === host.deps.mark ? [Number(pid)] : [];
  });
  if (pids.length > 0) await host.script(`kill -s KILL ${pids.join(' ')}`);
}

// Started as we start ours, by a daemon that is no more.
async function isStale(pid: number): Promise<boolean> {
  const client = await readProcess(pid);
  if (!client?.argv.includes(CLIENT_FLAGS)) return false;
  const parent = await readProcess(client.parent);
  return !parent?.argv.some((word) => word.endsWith('daemon/main.js'));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
}
