// A file for each session into which its agent may write signals, a line of JSON each: read as it grows, each line once, also
// what was written while no daemon ran.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Registry, Session } from '../sessions/index.js';
import { dropSignalFile, putSignalFile, SignalFileTable, type Store } from '../store/index.js';
import type { Disposable } from '../tmux/index.js';
import type { SignalDesk } from './desk.js';
import { GrowingFile, type Line, MOST_BYTES, type Place } from './file-lines.js';
import type { NearMisses } from './near-misses.js';

export interface SignalFilesDeps {
  // Of this daemon alone; one file a session, by its id.
  folder: string;
  store: Store;
  registry: Pick<Registry, 'get' | 'list' | 'onEvent'>;
  desk: Pick<SignalDesk, 'report'>;
  misses: Pick<NearMisses, 'record' | 'forget'>;
  // When the daemon before this one was last known to read them.
  listenedUntil: number;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

const Said = z.object(
  {
    state: z.string('state must be a word such as "working"'),
    message: z.string('message must be text').default(''),
    id: z.string('id must be text').optional(),
  },
  'it must be an object',
);

const SUFFIX = '.jsonl';
const RETRY_MS = 5000;

export class SignalFiles implements Disposable {
  readonly #table: SignalFileTable;
  // One look at a file at a time; `again`: it changed meanwhile.
  readonly #looks = new Map<string, { running: Promise<void>; again: boolean }>();
  // The files that end in a line that is too long and goes on.
  readonly #long = new Map<string, Place>();
  // Sessions in place of whose file is something else, which was told.
  readonly #others = new Set<string>();
  #watcher: fs.FSWatcher | undefined;
  #listening: Disposable | undefined;
  #isOver = false;

  constructor(readonly deps: SignalFilesDeps) {
    this.#table = new SignalFileTable(deps.store);
    fs.mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
  }

  // What was written while nobody read comes first.
  async start(): Promise<void> {
    const { folder, registry } = this.deps;
    this.#watch();
    this.#listening = registry.onEvent(({ type, session }) => {
      if (type === 'removed') void this.#forget(session.id);
    });
    for (const name of fs.readdirSync(folder)) {
      const id = idOf(name);
      if (id !== undefined && !registry.get(id)) await this.#forget(id);
    }
    await Promise.all(registry.list().map(({ id }) => this.look(id, 'first')));
  }

  // Made before its program starts; what `SM_SIGNALS` names.
  prepare({ id }: Session): void {
    fs.closeSync(fs.openSync(this.fileOf(id), 'a', 0o600));
  }

  fileOf(id: string): string {
    return path.join(this.deps.folder, `${id}${SUFFIX}`);
  }

  // Resolves when all that is there now has been read.
  look(id: string, occasion: 'first' | 'changed' = 'changed'): Promise<void> {
    const under = this.#looks.get(id);
    if (under) {
      under.again = true;
      return under.running;
    }
    const look = { running: Promise.resolve(), again: true };
    this.#looks.set(id, look);
    look.running = (async () => {
      let since = occasion === 'first' ? this.#unreadSince(id) : undefined;
      while (look.again && !this.#isOver) {
        look.again = false;
        await this.#read(id, since);
        since = undefined;
      }
    })()
      .catch((error: unknown) => {
        if (this.#isOver) return;
        this.deps.log('file of signals not read', { session: id, error: String(error) });
        // Its agent may write no more: it is looked at again all the same.
        setTimeout(() => void this.look(id), RETRY_MS).unref();
      })
      .finally(() => this.#looks.delete(id));
    return look.running;
  }

  dispose(): void {
    this.#isOver = true;
    this.#watcher?.close();
    this.#listening?.dispose();
  }

  // Where the system has no watch left, what is written is read at the next start: mail does not fail for it.
  #watch(): void {
    const { folder, registry, log } = this.deps;
    const failed = (error: unknown): void => log('files of signals not watched', { error: String(error) });
    try {
      this.#watcher = fs
        .watch(folder, (_, name) => {
          if (name !== null) this.#stirred(name);
          else for (const { id } of registry.list()) void this.look(id);
        })
        .on('error', failed);
    } catch (error) {
      failed(error);
    }
  }

  #stirred(name: string): void {
    const id = idOf(name);
    if (id !== undefined && this.deps.registry.get(id)) void this.look(id);
  }

  #unreadSince(id: string): number {
    const { registry, listenedUntil } = this.deps;
    const readAt = this.#table.get(id)?.read_at ?? registry.get(id)?.row.created_at ?? 0;
    return Math.max(readAt, listenedUntil);
  }

  // `since`: it may have been written at any time since then.
  async #read(id: string, since: number | undefined): Promise<void> {
    const file = await GrowingFile.open(this.fileOf(id), this.#long.get(id) ?? this.#table.get(id));
    this.#long.delete(id);
    if (file === 'no file') this.#tellOfOther(id);
    if (typeof file === 'string') return;
    this.#others.delete(id);
    const now = this.deps.clock();
    const times =
      since === undefined ? { at: now } : { at: Math.min(now, Math.round(file.changedAt)), since };
    try {
      for await (const line of file.lines()) {
        if (this.#isOver || !this.deps.registry.get(id)) return;
        await this.#take(id, line, file.place, times);
      }
      if (file.place.searched !== undefined) this.#long.set(id, file.place);
    } finally {
      await file.close();
    }
  }

  #tellOfOther(session: string): void {
    if (this.#others.has(session)) return;
    this.#others.add(session);
    const reason = 'what stands there is no file, and is not read: put a file in its place';
    this.deps.misses.record({ session, door: 'file', text: this.fileOf(session), reason });
  }

  // The place goes with the signal: a crash between them would lose or double it.
  async #take(
    session: string,
    { text, isCut, end }: Line,
    { file }: Place,
    times: { at: number; since?: number },
  ): Promise<void> {
    const { store, desk, misses, clock } = this.deps;
    const place = putSignalFile({ session, file, position: end, read_at: clock() });
    const said = isCut ? TOO_LONG : text.trim() === '' ? undefined : parse(text);
    if (said && 'state' in said) {
      const reported = await desk.report({ ...said, ...times, session, door: 'file' }, [place]);
      if (reported.outcome !== 'refused') return;
      misses.record({ session, door: 'file', text, reason: `${reported.reason}; ${reported.expected}` });
    } else if (said) misses.record({ session, door: 'file', text, reason: said.reason });
    await store.write([place]);
  }

  // Whatever stands there; what cannot be removed keeps nobody from anything.
  async #forget(id: string): Promise<void> {
    this.deps.misses.forget(id);
    this.#long.delete(id);
    this.#others.delete(id);
    try {
      await this.deps.store.write([dropSignalFile(id)]);
      await fs.promises.rm(this.fileOf(id), { force: true, recursive: true });
    } catch (error) {
      this.deps.log('file of signals not removed', { session: id, error: String(error) });
    }
  }
}

const idOf = (name: string): string | undefined =>
  name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : undefined;

const TOO_LONG = { reason: `longer than ${MOST_BYTES / 1024} KiB; a line must be shorter` };
const FORM = 'a line must be JSON such as {"state":"needs_input","message":"Which port?"}';

function parse(text: string): z.infer<typeof Said> | { reason: string } {
  try {
    const read = Said.safeParse(JSON.parse(text));
    if (read.success) return read.data;
    return { reason: `${read.error.issues[0]?.message}; ${FORM}` };
  } catch {
    return { reason: `no JSON; ${FORM}` };
  }
}
