// A session's terminal over WebSocket: a viewer for each connection, and what its person types goes to the pane.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type Registry, type Session, SessionError } from '../sessions/index.js';
import { isReply } from '../terminal/replies.js';
import { DisposableStore, disposable } from '../tmux/index.js';
import type { Doorkeeper, Via } from './auth.js';
import { Fitting } from './fitting.js';
import { TerminalViewer, type ViewerFrame } from './terminal-viewer.js';
import { closeAll, Pulse, refuse } from './web-sockets.js';

const PATH = /^\/api\/v1\/sessions\/([^/]+)\/terminal$/;
// In one frame, and of one connection before tmux has taken it: a paste may be long.
export const MOST_TAKEN = 1024 * 1024;
export const PING_MS = 15_000;
const CLOSE = { notTaken: 1003, removed: 4404 } as const;

const MOST_CELLS = 1000;
const side = z.number().int().min(2).max(MOST_CELLS);
const Asked = z.discriminatedUnion('type', [
  z.object({ type: z.literal('resync') }),
  z.object({ type: z.literal('resize'), columns: side, rows: side }),
]);

export interface TerminalSocketsDeps {
  admit: Doorkeeper;
  registry: Registry;
  log: (message: string, details: Record<string, unknown>) => void;
}

export class TerminalSockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_TAKEN });
  readonly #fitting = new Fitting();
  #isOver = false;

  constructor(readonly deps: TerminalSocketsDeps) {}

  takes(request: IncomingMessage): boolean {
    return PATH.test(pathOf(request));
  }

  upgrade(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // One that breaks off meanwhile.
    socket.on('error', () => {});
    if (this.#isOver) {
      socket.destroy();
      return;
    }
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
    const send = (data: string | Buffer): void => socket.send(data, () => viewer.sent());
    const frame = (one: ViewerFrame): void => send(JSON.stringify(one));
    const viewer = own.add(
      new TerminalViewer(session, {
        frame,
        bytes: send,
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
    const pulse = new Pulse(socket);
    // While nothing is read from it, no answer is either.
    const timer = setInterval(() => socket.isPaused || pulse.beat(), PING_MS);
    own.add(disposable(() => clearInterval(timer)));
    if (session.typing.isHeld) frame({ type: 'held', on: true });
    own.add(session.typing.onHeld((on) => frame({ type: 'held', on })));
    socket.on('error', () => {});
    socket.on('close', () => own.dispose());
    const typed = this.#typist(session, socket, frame);
    socket.on('message', (data, isBinary) => {
      if (isBinary) typed(bytesOf(data));
      else this.#asked(session, socket, parsed(String(data)), { viewer, frame });
    });
    own.add(disposable(() => void this.#fitting.left(session, socket)));
  }

  #asked(
    session: Session,
    socket: WebSocket,
    wish: unknown,
    { viewer, frame }: { viewer: TerminalViewer; frame: (one: ViewerFrame) => void },
  ): void {
    const asked = Asked.safeParse(wish);
    if (asked.success && asked.data.type === 'resync') viewer.look();
    else if (asked.success && asked.data.type === 'resize')
      void this.#fitting.fit(session, socket, asked.data).then((fitted) => {
        if (fitted !== 'fitted') frame({ type: 'refused', reason: fitted });
      });
    else if ((wish as { type?: unknown } | undefined)?.type === 'resize') frame(noSize(wish));
    else socket.close(CLOSE.notTaken, 'neither resize nor resync');
  }

  // What is under way to tmux, or waits, is not without bound: the rest stays in the browser.
  #typist(session: Session, socket: WebSocket, frame: (one: ViewerFrame) => void): (data: Buffer) => void {
    let underway = 0;
    return (data) => {
      if (isReply(data)) return;
      underway += data.length;
      if (underway > MOST_TAKEN) socket.pause();
      void session.typing.type(data).then((outcome) => {
        underway -= data.length;
        if (underway <= MOST_TAKEN) socket.resume();
        if (outcome.outcome === 'refused') frame({ type: 'refused', reason: outcome.reason });
      });
    };
  }

  // Nobody looks any more, and all panes have their own size: while they can still be reached.
  async end(): Promise<void> {
    this.close();
    await this.#fitting.close();
  }

  close(): void {
    this.#isOver = true;
    closeAll(this.#server);
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

// Which of the two it is, and what would be right.
function noSize(wish: unknown): ViewerFrame {
  const { columns, rows } = wish as { columns?: unknown; rows?: unknown };
  const isColumns = !side.safeParse(columns).success;
  return {
    type: 'refused',
    reason: 'invalid',
    field: isColumns ? 'columns' : 'rows',
    value: (isColumns ? columns : rows) ?? null,
    expected: `a whole number from 2 to ${MOST_CELLS}`,
  };
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
