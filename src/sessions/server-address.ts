// Where a tmux server is, as one text: the path of its socket, and before it the host where that is another machine.

export interface ServerAddress {
  // Null: this machine.
  host: string | null;
  path: string;
}

export const HOST_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const formatAddress = ({ host, path }: ServerAddress): string =>
  host === null ? path : `ssh://${host}${path}`;

export function parseAddress(text: string): ServerAddress {
  const [, host, path] = /^ssh:\/\/([A-Za-z0-9][A-Za-z0-9._-]*)(\/.*)$/s.exec(text) ?? [];
  return host === undefined || path === undefined ? { host: null, path: text } : { host, path };
}

export const isFar = (address: string): boolean => parseAddress(address).host !== null;
