// Every tool, in the order in which they are listed.
import type { Tool } from '../tool.js';
import { ask } from './ask.js';
import { checkInbox } from './check-inbox.js';
import { listSessions } from './list-sessions.js';
import { remind } from './remind.js';
import { reply } from './reply.js';
import { reportStatus } from './report-status.js';
import { send } from './send.js';
import { signal } from './signal.js';
import { wait } from './wait.js';

export const TOOLS: readonly Tool[] = [
  listSessions,
  send,
  reply,
  checkInbox,
  wait,
  ask,
  remind,
  reportStatus,
  signal,
];
