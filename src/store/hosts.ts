// The table of hosts: other machines that are reached over ssh.
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface HostRow {
  name: string;
  // As ssh takes it.
  destination: string;
  created_at: number;
}

export const insertHost = (host: HostRow): Step => ({
  sql: 'INSERT INTO hosts (name, destination, created_at) VALUES (?, ?, ?)',
  values: [host.name, host.destination, host.created_at],
});

export const deleteHost = (name: string): Step => ({
  sql: 'DELETE FROM hosts WHERE name = ?',
  values: [name],
});

export const listHosts = ({ read }: Store): HostRow[] =>
  read
    .prepare('SELECT name, destination, created_at FROM hosts ORDER BY created_at, name')
    .all() as HostRow[];
