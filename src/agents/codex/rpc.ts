// One connection to Codex's app server: JSON-RPC in WebSocket frames over its Unix socket.
import fs from 'node:fs';
import net from 'node:net';
import WebSocket from 'ws';
import { z } from 'zod';
import type { Disposable } from '../../tmux/index.js';

// It answers within milliseconds; a busy machine may need a second.
const ANSWER_MS = 5000;
const CLIENT = { name: 'suremail', title: 'Suremail', version: '1' };
// What a subscriber gets for each word of an answer, and has no use for.
const UNHEARD = [
  'item/agentMessage/delta',
  'item/plan/delta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/summaryPartAdded',
  'item/reasoning/textDelta',
  'item/commandExecution/outputDelta',
  'item/fileChange/outputDelta',
  'thread/tokenUsage/updated',
  'turn/diff/updated',
];

const Envelope = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

// The server has said no: nothing was done.
export class Denied extends Error {}
// No answer: it may have been done.
export class Unanswered extends Error {}

interface Call {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

export interface RpcListeners {
  // Requests of the server (approvals) are the TUI's to answer: they are not even passed on.
  onNotice: (method: string, params: unknown) => void;
  onClose: () => void;
}

export class Rpc implements Disposable {
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #closed = false;
  #greeted = false;

  private constructor(
    file: string,
    readonly listeners: RpcListeners,
  ) {
    // Its name in Codex's folder is a link.
    const target = fs.realpathSync(file);
    this.#socket = new WebSocket('ws://localhost/', {
      createConnection: () => net.connect(target),
      perMessageDeflate: false,
      handshakeTimeout: ANSWER_MS,
    });
    this.#socket.on('message', (data) => this.#heard(String(data)));
    this.#socket.on('close', () => this.#end());
    this.#socket.on('error', () => this.#end());
  }

  // Rejects where nobody listens.
  static async connect(file: string, listeners: RpcListeners): Promise<Rpc> {
    const rpc = new Rpc(file, listeners);
    try {
      await rpc.#greet();
      return rpc;
    } catch (error) {
      rpc.dispose();
      throw error;
    }
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  async call<T>(method: string, params: Record<string, unknown>, schema: z.ZodType<T>): Promise<T> {
    if (this.#closed) throw new Denied('the connection is closed');
    const id = ++this.#lastId;
    const result = await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#calls.delete(id);
        reject(new Unanswered(`no answer to ${method}`));
      }, ANSWER_MS);
      this.#calls.set(id, { resolve, reject, timer });
      this.#send({ id, method, params });
    });
    const parsed = schema.safeParse(result);
    if (!parsed.success) throw new Unanswered(`an answer to ${method} that is not understood`);
    return parsed.data;
  }

  dispose(): void {
    this.#end();
  }

  async #greet(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('open', resolve);
      this.#socket.once('error', reject);
      this.#socket.once('close', () => reject(new Unanswered('the connection was closed')));
    });
    const capabilities = { experimentalApi: true, optOutNotificationMethods: UNHEARD };
    await this.call('initialize', { clientInfo: CLIENT, capabilities }, z.unknown());
    this.#send({ method: 'initialized' });
    this.#greeted = true;
  }

  #send(message: Record<string, unknown>): void {
    this.#socket.send(JSON.stringify(message), () => {});
  }

  #heard(text: string): void {
    const parsed = parse(text);
    if (!parsed) return;
    const { id, method, params, result, error } = parsed;
    if (method !== undefined) {
      if (id === undefined) this.listeners.onNotice(method, params);
      return;
    }
    const call = typeof id === 'number' ? this.#calls.get(id) : undefined;
    if (!call || typeof id !== 'number') return;
    this.#calls.delete(id);
    clearTimeout(call.timer);
    if (error) call.reject(new Denied(error.message));
    else call.resolve(result);
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const call of this.#calls.values()) {
      clearTimeout(call.timer);
      call.reject(new Unanswered('the connection was closed'));
    }
    this.#calls.clear();
    this.#socket.terminate();
    if (this.#greeted) this.listeners.onClose();
  }
}

function parse(text: string): z.infer<typeof Envelope> | undefined {
  try {
    return Envelope.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
