// How ssh is called: the user's own configuration and agent, nobody is asked anything, no host key is taken on trust.

export interface SshPlace {
  // As the user would give it to ssh: `host`, `user@host`, a name of their configuration, `ssh://…`.
  destination: string;
  // Another file than the user's configuration; undefined: theirs.
  config: string | undefined;
}

const ALWAYS = [
  'BatchMode=yes',
  'StrictHostKeyChecking=yes',
  'UpdateHostKeys=no',
  'ConnectTimeout=10',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  // What a configuration may want for people at a terminal.
  'RemoteCommand=none',
  'RequestTTY=no',
  'PermitLocalCommand=no',
  'ClearAllForwardings=yes',
  'LogLevel=ERROR',
];

const options = (...more: string[]): string[] => [...ALWAYS, ...more].flatMap((option) => ['-o', option]);
const head = ({ config }: SshPlace): string[] => (config === undefined ? [] : ['-F', config]);

// A connection that others may share by the socket. It ends with its own command, once nobody shares it any more.
export const masterArgs = (place: SshPlace, socket: string, command: string): string[] => [
  ...head(place),
  ...options('ControlMaster=yes', 'ControlPersist=no', `ControlPath=${socket}`),
  '-T',
  '--',
  place.destination,
  command,
];

// On that connection or not at all: where it is gone, ssh would make another one.
export const channelArgs = (place: SshPlace, socket: string, command: string): string[] => [
  ...head(place),
  ...options('ControlMaster=no', `ControlPath=${socket}`, 'ProxyCommand=false'),
  '-T',
  '--',
  place.destination,
  command,
];

// Ends one that was left behind.
export const exitArgs = (socket: string): string[] => [
  '-F',
  'none',
  '-o',
  `ControlPath=${socket}`,
  '-O',
  'exit',
  'left-behind',
];
