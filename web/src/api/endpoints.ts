// The endpoints that the page uses, each a function with the types of the contract.
import type {
  Agent,
  ChangeRequest,
  ConfigReport,
  CopiedDraft,
  DoctorReport,
  Draft,
  Host,
  HostCheck,
  Inbox,
  InboxItem,
  InboxRead,
  Message,
  MessageWithEvents,
  Reminder,
  RemindRequest,
  ReplyRequest,
  ReplyResponse,
  RestoredDraft,
  SendRequest,
  SendResponse,
  Session,
  SpawnRequest,
  SpawnResponse,
  StartRequest,
  Status,
  UpdateRequest,
} from '../../../src/api/types.js';
import { ask, query } from './request.js';

const part = encodeURIComponent;

export const getStatus = (): Promise<Status> => ask('GET', '/status');
export const setPaused = (paused: boolean): Promise<{ paused: boolean }> => ask('PUT', '/paused', { paused });

export const listSessions = async (): Promise<Session[]> =>
  (await ask<{ sessions: Session[] }>('GET', '/sessions')).sessions;
export const startSession = (request: StartRequest): Promise<Session> => ask('POST', '/sessions', request);
export const spawnSession = (request: SpawnRequest): Promise<SpawnResponse> => ask('POST', '/spawn', request);
export const updateSession = (id: string, change: UpdateRequest): Promise<Session> =>
  ask('PATCH', `/sessions/${part(id)}`, change);
export const killSession = (id: string): Promise<{ cancelled: number }> =>
  ask('DELETE', `/sessions/${part(id)}`);

export const sendMessage = (request: SendRequest): Promise<SendResponse> => ask('POST', '/messages', request);
export interface MessageQuery {
  session?: string;
  pending?: boolean;
  dead?: boolean;
  thread?: string;
  q?: string;
  limit?: number;
}
export const listMessages = async (options: MessageQuery): Promise<Message[]> =>
  (await ask<{ messages: Message[] }>('GET', `/messages${query({ ...options })}`)).messages;
export const getMessage = (id: string): Promise<MessageWithEvents> => ask('GET', `/messages/${part(id)}`);
export const cancelMessage = (id: string): Promise<Message> => ask('DELETE', `/messages/${part(id)}`);
export const changeMessage = (id: string, change: ChangeRequest): Promise<Message> =>
  ask('PATCH', `/messages/${part(id)}`, change);
// In front of another; null: behind all.
export const moveMessage = (id: string, before: string | null): Promise<Message> =>
  ask('POST', `/messages/${part(id)}/move`, { before });
export const redeliverMessage = (id: string): Promise<Message> =>
  ask('POST', `/messages/${part(id)}/redeliver`);

export const listInbox = (options: { all?: boolean; thread?: string; limit?: number }): Promise<Inbox> =>
  ask('GET', `/inbox${query({ ...options })}`);
export const getInboxItem = (id: string): Promise<InboxItem> => ask('GET', `/inbox/${part(id)}`);
export const readInboxItem = (id: string): Promise<InboxItem> => ask('POST', `/inbox/${part(id)}/read`);
export const readInbox = (): Promise<InboxRead> => ask('POST', '/inbox/read');
export const sendReply = (request: ReplyRequest): Promise<ReplyResponse> => ask('POST', '/replies', request);

export const listDrafts = async (options: {
  session?: string;
  state?: 'open' | 'all';
  limit?: number;
}): Promise<Draft[]> => (await ask<{ drafts: Draft[] }>('GET', `/drafts${query({ ...options })}`)).drafts;
export const restoreDraft = (id: string): Promise<RestoredDraft> =>
  ask('POST', `/drafts/${part(id)}/restore`);
export const copyDraft = (id: string): Promise<CopiedDraft> => ask('POST', `/drafts/${part(id)}/copy`);

export const listReminders = async (): Promise<Reminder[]> =>
  (await ask<{ reminders: Reminder[] }>('GET', `/reminders${query({ limit: 500 })}`)).reminders;
export const addReminder = (request: RemindRequest): Promise<Reminder> => ask('POST', '/reminders', request);
export const cancelReminder = (id: string): Promise<Reminder> => ask('DELETE', `/reminders/${part(id)}`);

export const listHosts = async (): Promise<Host[]> => (await ask<{ hosts: Host[] }>('GET', '/hosts')).hosts;
export const checkHost = (name: string): Promise<HostCheck> => ask('POST', `/hosts/${part(name)}/check`);

export const listAgents = async (): Promise<Agent[]> =>
  (await ask<{ agents: Agent[] }>('GET', '/agents')).agents;
export const getConfig = (): Promise<ConfigReport> => ask('GET', '/config');
export const getDoctor = (): Promise<DoctorReport> => ask('GET', '/doctor');

export const isSignedIn = (): Promise<unknown> => ask('GET', '/sign-in');
export const signIn = (by: { code: string } | { password: string } | { token: string }): Promise<unknown> =>
  ask('POST', '/sign-in', by);
export const signOut = (): Promise<unknown> => ask('DELETE', '/sign-in');
