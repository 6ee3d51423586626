// Markers in an agent's own record of its conversation, each once, also those that were written while no daemon ran.
import type { Session } from '../sessions/index.js';
import { putSignalRecord, type SignalMarkTable, type Step } from '../store/index.js';
import { GrowingFile } from './file-lines.js';
import { MARKER_START, parseMarker } from './marker.js';
import type { Recorded } from './marks.js';

// What is to be written together with it, or alone where nothing came of it.
export interface RecordLine {
  found: Recorded[];
  read: Step;
}

// An answer may be a long line.
const MOST_BYTES = 1024 * 1024;

export class RecordReader {
  #last: { file: string; size: number } | undefined;

  constructor(
    readonly session: Session,
    readonly table: SignalMarkTable,
  ) {}

  // Its lines since the last time. `stat` tells whether there are any, so that nothing is opened in vain.
  async *read(sizeOf: (file: string) => Promise<number | undefined>): AsyncGenerator<RecordLine> {
    const { profile, doorFacts, row, id } = this.session;
    const path = profile.record?.file(doorFacts);
    if (!profile.record || path === undefined) return;
    const size = await sizeOf(path);
    if (size === undefined || (this.#last?.file === path && this.#last.size === size)) return;
    const file = await GrowingFile.open(path, this.table.record(id), MOST_BYTES);
    if (typeof file === 'string') return;
    try {
      let end: number | undefined;
      for await (const line of file.lines()) {
        end = line.end;
        if (!line.text.includes(MARKER_START)) continue;
        const said = profile.record.said(line.text);
        // A conversation that is taken up again has what was said in it before.
        const isOld = said === undefined || said.at < row.created_at;
        const found = isOld ? [] : markersIn(said);
        if (found.length > 0) yield { found, read: this.#step(file.place.file, end) };
      }
      if (end !== undefined) yield { found: [], read: this.#step(file.place.file, end) };
      this.#last = { file: path, size };
    } finally {
      await file.close();
    }
  }

  #step(file: string, position: number): Step {
    return putSignalRecord({ session: this.session.id, file, position });
  }
}

function markersIn({ entry, at, text }: { entry: string; at: number; text: string }): Recorded[] {
  return text.split('\n').flatMap((line, i) => {
    const marker = parseMarker(line);
    return marker ? [{ entry: `${entry}:${i}`, marker, at }] : [];
  });
}
