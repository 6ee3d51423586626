// A session's terminal over WebSocket: a viewer for each connection, and what its person types goes to the pane.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type Registry, type Session, SessionError } from '../sessions/index.js';
import { isReply } from '../terminal/replies.js';
import { DisposableStore, disposable, fitWindow, unfitWindow } from '../tmux/index.js';
import type { Doorkeeper, Via } from './auth.js';
import { refuse } from './feed-sockets.js';
import { TerminalViewer, type ViewerFrame } from './terminal-viewer.js';

const PATH = /^\/api\/v1\/sessions\/([^/]+)\/terminal$/;
// A paste may be long.
const MOST_TAKEN = 1024 * 1024;
const PING_MS = 15_000;
const CLOSE = { stopping: 1001, notTaken: 1003, removed: 4404 } as const;

const Asked = z.discriminatedUnion('type', [
  z.object({ type: z.literal('resync') }),
  z.object({
    type: z.literal('resize'),
    columns: z.number().int().min(2).max(1000),
    rows: z.number().int().min(2).max(1000),
  }),
]);

export interface TerminalSocketsDeps {
  admit: Doorkeeper;
  registry: Registry;
  log: (message: string, details: Record<string, unknown>) => void;
}

export class TerminalSockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_TAKEN });
  // Who asked for another size.
  readonly #fitting = new Map<Session, Set<WebSocket>>();

  constructor(readonly deps: TerminalSocketsDeps) {}

  takes(request: IncomingMessage): boolean {
    return PATH.test(pathOf(request));
  }

  upgrade(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // One that breaks off meanwhile.
    socket.on('error', () => {});
    const refusal = this.deps.admit(via, request.headers, 'connect');
    if (refusal) {
      refuse(socket, refusal.status, refusal.error);
      return;
    }
    try {
      const session = this.deps.registry.resolve(decodeURIComponent(PATH.exec(pathOf(request))?.[1] ?? ''));
      this.#server.handleUpgrade(request, socket, head, (line) => this.#serve(session, line));
    } catch (error) {
      if (!(error instanceof SessionError || error instanceof URIError)) throw error;
      refuse(socket, 404, { code: 'not_found', message: error.message });
    }
  }

  #serve(session: Session, socket: WebSocket): void {
    const { registry } = this.deps;
    const own = new DisposableStore();
    const frame = (one: ViewerFrame): void => socket.send(JSON.stringify(one));
    const viewer = own.add(
      new TerminalViewer(session, {
        frame,
        bytes: (data, sent) => socket.send(data, sent),
        get waiting() {
          return socket.bufferedAmount;
        },
      }),
    );
    own.add(
      registry.onEvent((event) => {
        if (event.session !== session) return;
        if (event.type === 'removed') socket.close(CLOSE.removed, 'the session is no more');
        // Its pane may be another, or there again.
        else viewer.follow();
      }),
    );
    own.add(keepAlive(socket));
    if (session.typing.isHeld) frame({ type: 'held', on: true });
    own.add(session.typing.onHeld((on) => frame({ type: 'held', on })));
    socket.on('error', () => {});
    socket.on('close', () => own.dispose());
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#typed(session, socket, bytesOf(data), frame);
      else {
        const asked = Asked.safeParse(parsed(String(data)));
        if (!asked.success) socket.close(CLOSE.notTaken, 'neither resize nor resync');
        else if (asked.data.type === 'resync') viewer.look();
        else this.#fit(session, socket, asked.data, frame);
      }
    });
    own.add(disposable(() => this.#unfit(session, socket)));
  }

  #typed(session: Session, socket: WebSocket, data: Buffer, frame: (one: ViewerFrame) => void): void {
    if (isReply(data)) return;
    const { typing } = session;
    const typed = typing.type(data);
    // What waits is not without bound: the rest stays in the browser.
    if (typing.waitingBytes > MOST_TAKEN) socket.pause();
    void typed.then((outcome) => {
      socket.resume();
      if (outcome.outcome === 'refused') frame({ type: 'refused', reason: outcome.reason });
    });
  }

  #fit(
    session: Session,
    socket: WebSocket,
    { columns, rows }: { columns: number; rows: number },
    frame: (one: ViewerFrame) => void,
  ): void {
    if (!session.tracker) return;
    const asking = this.#fitting.get(session) ?? new Set();
    this.#fitting.set(session, asking.add(socket));
    fitWindow(session.tracker.pane, columns, rows).then(
      (fitted) => fitted === 'other_panes' && frame({ type: 'refused', reason: fitted }),
      () => frame({ type: 'refused', reason: 'host_down' }),
    );
  }

  // The last one who asked has left: the pane is as large as it was.
  #unfit(session: Session, socket: WebSocket): void {
    const asking = this.#fitting.get(session);
    if (!asking?.delete(socket) || asking.size > 0) return;
    this.#fitting.delete(session);
    if (session.tracker) unfitWindow(session.tracker.pane).catch(() => {});
  }

  // Whoever does not answer is not waited for.
  close(): void {
    for (const socket of this.#server.clients) {
      socket.close(CLOSE.stopping, 'the daemon stops');
      socket.terminate();
    }
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

function keepAlive(socket: WebSocket) {
  let isHeard = true;
  socket.on('pong', () => {
    isHeard = true;
  });
  const timer = setInterval(() => {
    if (!isHeard) socket.terminate();
    isHeard = false;
    socket.ping();
  }, PING_MS);
  return disposable(() => clearInterval(timer));
}

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
