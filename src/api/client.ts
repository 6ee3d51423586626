// The typed client: one method an endpoint, over the daemon's Unix socket or its URL. Loads nothing but node:http.
import type http from 'node:http';
import { part, query, readAll, request, type Transport } from './client-request.js';
import type {
  AdoptRequest,
  Agent,
  Attention,
  Backup,
  ChangeRequest,
  ConfigReport,
  CopiedDraft,
  DoctorReport,
  Draft,
  ExposeRequest,
  Exposure,
  FeedEvent,
  Group,
  GroupChange,
  Hooks,
  Host,
  HostCheck,
  HostRequest,
  Inbox,
  InboxItem,
  InboxRead,
  Message,
  MessageWait,
  MessageWithEvents,
  PaneInfo,
  Reminder,
  RemindRequest,
  ReplyRequest,
  ReplyResponse,
  RestoredDraft,
  SendQueue,
  SendRequest,
  SendResponse,
  Session,
  SessionWait,
  ShortRemindRequest,
  ShortRemindResponse,
  ShortSendRequest,
  ShortSendResponse,
  Signal,
  SignalRequest,
  SignalResponse,
  SignedIn,
  SignInLink,
  SpawnRequest,
  SpawnResponse,
  StartRequest,
  Status,
  Uninstalled,
  UpdateRequest,
} from './types.js';

export { ApiFailure, NotRunning, type Transport } from './client-request.js';

// Where the endpoints stand; the short ones at the root.
const API = '/api/v1';
const ROOT = '';
type Base = typeof API | typeof ROOT;

export class Client {
  constructor(readonly transport: Transport) {}

  status = (): Promise<Status> => this.#json('GET', '/status');
  stop = (): Promise<{ stopping: true; pid: number }> => this.#json('POST', '/stop');

  sessions = async (): Promise<Session[]> =>
    (await this.#json<{ sessions: Session[] }>('GET', '/sessions')).sessions;
  session = (ref: string): Promise<Session> => this.#json('GET', `/sessions/${part(ref)}`);
  start = (request: StartRequest): Promise<Session> => this.#json('POST', '/sessions', request);
  adopt = (request: AdoptRequest): Promise<Session> => this.#json('POST', '/sessions/adopt', request);
  panes = async (socket?: string, host?: string): Promise<PaneInfo[]> =>
    (await this.#json<{ panes: PaneInfo[] }>('GET', `/panes${query({ socket, host })}`)).panes;
  hosts = async (): Promise<Host[]> => (await this.#json<{ hosts: Host[] }>('GET', '/hosts')).hosts;
  addHost = (request: HostRequest): Promise<Host> => this.#json('POST', '/hosts', request);
  removeHost = (name: string): Promise<Host> => this.#json('DELETE', `/hosts/${part(name)}`);
  checkHost = (name: string): Promise<HostCheck> => this.#json('POST', `/hosts/${part(name)}/check`);
  update = (ref: string, change: UpdateRequest): Promise<Session> =>
    this.#json('PATCH', `/sessions/${part(ref)}`, change);
  kill = (
    ref: string,
    options: { keep?: boolean } = {},
  ): Promise<{ id: string; name: string; cancelled: number }> =>
    this.#json('DELETE', `/sessions/${part(ref)}${query(options)}`);
  // As `from` of a message: the conversation counts first, then the pane, then the session.
  whoAmI = ({ pane, session, threads }: NonNullable<SendRequest['from']>): Promise<Session> =>
    this.#json('GET', `/whoami${query({ ...pane, session, threads: threads?.join(',') })}`);

  // The text as it comes: the whole of it, or with `follow` for as long as the session prints.
  output = (
    ref: string,
    options: { lines?: number; follow?: boolean; styles?: boolean } = {},
  ): Promise<http.IncomingMessage> => this.#request('GET', `/sessions/${part(ref)}/output${query(options)}`);

  screen = async (ref: string, format: 'ansi' | 'text' = 'text'): Promise<string> =>
    readAll(await this.#request('GET', `/sessions/${part(ref)}/screen${query({ format })}`));

  setPaused = (paused: boolean): Promise<{ paused: boolean }> => this.#json('PUT', '/paused', { paused });

  send = (request: SendRequest): Promise<SendResponse> => this.#json('POST', '/messages', request);
  messages = async (
    options: {
      session?: string;
      pending?: boolean;
      dead?: boolean;
      thread?: string;
      q?: string;
      before?: string;
      limit?: number;
    } = {},
  ): Promise<Message[]> =>
    (await this.#json<{ messages: Message[] }>('GET', `/messages${query(options)}`)).messages;
  message = (id: string): Promise<MessageWithEvents> => this.#json('GET', `/messages/${part(id)}`);
  cancel = (id: string): Promise<Message> => this.#json('DELETE', `/messages/${part(id)}`);
  change = (id: string, change: ChangeRequest): Promise<Message> =>
    this.#json('PATCH', `/messages/${part(id)}`, change);
  // In front of another; null: behind all.
  move = (id: string, before: string | null): Promise<Message> =>
    this.#json('POST', `/messages/${part(id)}/move`, { before });
  redeliver = (id: string): Promise<Message> => this.#json('POST', `/messages/${part(id)}/redeliver`);
  wait = (
    id: string,
    options: { for?: 'submitted' | 'received' | 'done'; timeout?: number } = {},
  ): Promise<MessageWait> => this.#json('GET', `/messages/${part(id)}/wait${query(options)}`);

  reply = (request: ReplyRequest): Promise<ReplyResponse> => this.#json('POST', '/replies', request);
  inbox = (options: { all?: boolean; thread?: string; limit?: number } = {}): Promise<Inbox> =>
    this.#json('GET', `/inbox${query(options)}`);
  inboxItem = (id: string): Promise<InboxItem> => this.#json('GET', `/inbox/${part(id)}`);
  readInboxItem = (id: string): Promise<InboxItem> => this.#json('POST', `/inbox/${part(id)}/read`);
  readInbox = (): Promise<InboxRead> => this.#json('POST', '/inbox/read');

  // Until its agent rests after all that it was sent, or for `signal:STATE` until it has such a signal.
  waitForSession = (
    ref: string,
    options: { for?: string; after?: number; timeout?: number } = {},
  ): Promise<SessionWait> => this.#json('GET', `/sessions/${part(ref)}/wait${query(options)}`);
  children = async (ref: string): Promise<Session[]> =>
    (await this.#json<{ sessions: Session[] }>('GET', `/sessions/${part(ref)}/children`)).sessions;
  spawn = (request: SpawnRequest): Promise<SpawnResponse> => this.#json('POST', '/spawn', request);
  groups = async (): Promise<Group[]> => (await this.#json<{ groups: Group[] }>('GET', '/groups')).groups;
  changeGroup = (name: string, change: GroupChange): Promise<Group> =>
    this.#json('PATCH', `/groups/${part(name)}`, change);

  signal = (ref: string, request: SignalRequest): Promise<SignalResponse> =>
    this.#json('POST', `/sessions/${part(ref)}/signals`, request);
  signals = async (
    options: { session?: string; after?: number; since?: string; limit?: number } = {},
  ): Promise<Signal[]> =>
    (await this.#json<{ signals: Signal[] }>('GET', `/signals${query(options)}`)).signals;
  attention = (): Promise<Attention> => this.#json('GET', '/attention');

  remind = (request: RemindRequest): Promise<Reminder> => this.#json('POST', '/reminders', request);
  reminders = async (options: { limit?: number } = {}): Promise<Reminder[]> =>
    (await this.#json<{ reminders: Reminder[] }>('GET', `/reminders${query(options)}`)).reminders;
  cancelReminder = (id: string): Promise<Reminder> => this.#json('DELETE', `/reminders/${part(id)}`);

  drafts = async (
    options: { session?: string; state?: Draft['state'] | 'open' | 'all'; limit?: number } = {},
  ): Promise<Draft[]> => (await this.#json<{ drafts: Draft[] }>('GET', `/drafts${query(options)}`)).drafts;
  draft = (id: string): Promise<Draft> => this.#json('GET', `/drafts/${part(id)}`);
  restoreDraft = (id: string): Promise<RestoredDraft> => this.#json('POST', `/drafts/${part(id)}/restore`);
  copyDraft = (id: string): Promise<CopiedDraft> => this.#json('POST', `/drafts/${part(id)}/copy`);

  agents = async (): Promise<Agent[]> => (await this.#json<{ agents: Agent[] }>('GET', '/agents')).agents;
  agent = (name: string): Promise<{ agent: Agent; profile: Record<string, unknown> }> =>
    this.#json('GET', `/agents/${part(name)}`);
  hooks = (
    agent: string,
    verb: 'status' | 'install' | 'uninstall',
    env: Record<string, string>,
  ): Promise<Hooks> => this.#json('POST', `/agents/${part(agent)}/hooks/${verb}`, { env });

  // For a browser: a link that lets one in, once.
  signInLink = (): Promise<SignInLink> => this.#json('POST', '/sign-in/links');
  setPassword = (password: string): Promise<{ password: true }> =>
    this.#json('PUT', '/sign-in/password', { password });
  removePassword = (): Promise<{ password: false }> => this.#json('DELETE', '/sign-in/password');
  exposure = (): Promise<Exposure> => this.#json('GET', '/exposure');
  expose = (request: ExposeRequest): Promise<Exposure> => this.#json('PUT', '/exposure', request);
  signedIn = (): Promise<SignedIn> => this.#json('GET', '/sign-in');

  config = (): Promise<ConfigReport> => this.#json('GET', '/config');
  doctor = (client?: string): Promise<DoctorReport> => this.#json('GET', `/doctor${query({ client })}`);

  backup = (file: string, options: { replace?: boolean } = {}): Promise<Backup> =>
    this.#json('POST', '/backup', { file, ...options });
  // The lines as they come; the last one is of type "end".
  exportHistory = (options: { since?: string } = {}): Promise<http.IncomingMessage> =>
    this.#request('GET', `/export${query(options)}`);
  uninstall = (env: Record<string, string>, options: { dry_run?: boolean } = {}): Promise<Uninstalled> =>
    this.#json('POST', '/uninstall', { env, ...options });
  // The short endpoints.
  shortSend = (session: string, request: ShortSendRequest): Promise<ShortSendResponse> =>
    this.#json('POST', `/sessions/${part(session)}/send`, request, ROOT);
  sendQueue = (session: string): Promise<SendQueue> =>
    this.#json('GET', `/sessions/${part(session)}/send-queue`, undefined, ROOT);
  shortRemind = (request: ShortRemindRequest): Promise<ShortRemindResponse> =>
    this.#json('POST', '/scheduler/remind', request, ROOT);

  // Events as they happen, until the caller stops or the daemon does.
  // `opened` is called when nothing that happens from then on is missed.
  async *events(
    lastEventId?: string,
    opened: () => void = () => {},
  ): AsyncGenerator<{ id: string; event: FeedEvent }> {
    const response = await this.#request(
      'GET',
      '/events',
      undefined,
      lastEventId ? { 'last-event-id': lastEventId } : {},
    );
    opened();
    response.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const text of parts) {
        const id = /^id: ?(.*)$/m.exec(text)?.[1] ?? '';
        const data = /^data: ?(.*)$/m.exec(text)?.[1];
        if (data) yield { id, event: JSON.parse(data) as FeedEvent };
      }
    }
  }

  // The same over WebSocket.
  async *socketEvents(lastEventId?: string): AsyncGenerator<{ id: string; event: FeedEvent }> {
    const { readFeedSocket } = await import('./client-socket.js');
    yield* readFeedSocket(this.transport, `${API}/ws`, lastEventId);
  }

  async #json<T>(method: string, path: string, body?: unknown, base: Base = API): Promise<T> {
    return JSON.parse(await readAll(await this.#request(method, path, body, {}, base))) as T;
  }

  #request(
    method: string,
    path: string,
    body?: unknown,
    headers: http.OutgoingHttpHeaders = {},
    base: Base = API,
  ): Promise<http.IncomingMessage> {
    return request(this.transport, { method, path: `${base}${path}`, named: path, body, headers });
  }
}
