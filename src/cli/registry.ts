// Every command: its name, one line about it, and how to load it. Order and groups are those of `sm --help`.
import type { Command } from './command.js';

export interface Entry {
  name: string;
  group: Group;
  summary: string;
  load(): Promise<Command>;
}

export const GROUPS = ['Mail', 'Sessions', 'Daemon', 'More'] as const;
type Group = (typeof GROUPS)[number];

const add =
  (group: Group) =>
  (name: string, summary: string, load: () => Promise<{ default: Command }>): Entry => ({
    name,
    group,
    summary,
    load: async () => (await load()).default,
  });
const mail = add('Mail');
const sessions = add('Sessions');
const daemon = add('Daemon');
const more = add('More');

export const ENTRIES: readonly Entry[] = [
  mail('send', 'send a message to one or more sessions', () => import('./commands/send.js')),
  mail('reply', 'answer the message at hand, or one in the inbox', () => import('./commands/reply.js')),
  mail('ask', 'send a message and print the answer', () => import('./commands/ask.js')),
  mail('wait', 'wait for an agent to rest, or for a receipt', () => import('./commands/wait.js')),
  mail('inbox', 'show mail to you', () => import('./commands/inbox.js')),
  mail('queue', 'show what waits for delivery, and why', () => import('./commands/queue.js')),
  mail('cancel', 'cancel messages that have not been typed yet', () => import('./commands/cancel.js')),
  mail('dead', 'list dead letters: messages that failed too often', () => import('./commands/dead.js')),
  mail('redeliver', 'deliver dead letters after all', () => import('./commands/redeliver.js')),
  mail('remind', 'have something said at a time', () => import('./commands/remind.js')),
  mail('wake', 'the same as sm remind', () => import('./commands/wake.js')),
  mail('reminders', 'list what is to be said, or cancel it', () => import('./commands/reminders.js')),
  mail('history', 'list messages, newest last', () => import('./commands/history.js')),
  mail('show', 'show one session or one message in full', () => import('./commands/show.js')),
  mail(
    'drafts',
    'list or give back drafts that made way for a message',
    () => import('./commands/drafts.js'),
  ),
  mail('pause', 'stop delivery, to all sessions or to one', () => import('./commands/pause.js')),
  mail('resume', 'resume delivery, to all sessions or to one', () => import('./commands/resume.js')),
  sessions('new', 'start a program in a tmux pane', () => import('./commands/new.js')),
  sessions('spawn', 'start an agent with a first message', () => import('./commands/spawn.js')),
  sessions('adopt', 'take over a pane that exists, or list candidates', () => import('./commands/adopt.js')),
  sessions('ls', 'list the sessions', () => import('./commands/ls.js')),
  sessions('attach', 'show a session in this terminal', () => import('./commands/attach.js')),
  sessions('output', 'print what a session shows', () => import('./commands/output.js')),
  sessions('rename', 'give a session another name', () => import('./commands/rename.js')),
  sessions('set', 'change how a session gets its mail', () => import('./commands/set.js')),
  sessions('children', 'list the sessions that an agent has started', () => import('./commands/children.js')),
  sessions('group', 'put sessions into a group, or list the groups', () => import('./commands/group.js')),
  sessions('busy', 'hold sequential mail while a piece of work lasts', () => import('./commands/busy.js')),
  sessions('ready', 'take mail again', () => import('./commands/ready.js')),
  sessions('signal', 'report what you do, as the agent of a session', () => import('./commands/signal.js')),
  sessions('signals', 'show what agents have reported', () => import('./commands/signals.js')),
  sessions(
    'statusline',
    'who needs attention, for the status bar of tmux',
    () => import('./commands/statusline.js'),
  ),
  sessions('kill', 'end sessions and forget them', () => import('./commands/kill.js')),
  sessions('agents', 'list the agents that are known', () => import('./commands/agents.js')),
  sessions(
    'hooks',
    "put our hooks into an agent's own settings, or take them out",
    () => import('./commands/hooks.js'),
  ),
  sessions('host', 'reach sessions on other machines, over ssh', () => import('./commands/host.js')),
  sessions('whoami', 'tell which session this pane is', () => import('./commands/whoami.js')),
  daemon('dash', 'open the dashboard in your browser', () => import('./commands/dash.js')),
  daemon('up', 'start the daemon in the background', () => import('./commands/up.js')),
  daemon('down', 'stop the daemon; sessions and messages stay', () => import('./commands/down.js')),
  daemon('status', 'tell what runs', () => import('./commands/status.js')),
  daemon('logs', "show the daemon's log", () => import('./commands/logs.js')),
  daemon('config', 'show what is configured, and where', () => import('./commands/config.js')),
  daemon('doctor', 'find out what works here and what does not', () => import('./commands/doctor.js')),
  daemon('service', 'let systemd run the daemon for you', () => import('./commands/service.js')),
  daemon('export', 'print the history, one JSON object a line', () => import('./commands/export.js')),
  daemon('backup', 'copy the database, whole and checked', () => import('./commands/backup.js')),
  daemon(
    'uninstall',
    'remove every trace of Suremail from agents, tmux and disk',
    () => import('./commands/uninstall.js'),
  ),
  more('mcp', 'serve an agent’s tools over the Model Context Protocol', () => import('./commands/mcp.js')),
  more('demo', 'see it work, in a minute, on a tmux server of its own', () => import('./commands/demo.js')),
  more('completion', 'print a completion script for your shell', () => import('./commands/completion.js')),
  more('help', 'explain a command', () => import('./commands/help.js')),
];

export const entry = (name: string): Entry | undefined => ENTRIES.find((each) => each.name === name);
