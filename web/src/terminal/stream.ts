// Joins a snapshot of a pane and the stream of its bytes by their numbers: nothing twice, nothing left out, and never more
// waiting to be drawn than a limit. Pure.

// What the daemon says of a pane, beside its bytes.
export type Word =
  | { type: 'snapshot'; seq: number; columns: number; rows: number; alternate: boolean; title: string }
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'state'; state: 'live' | 'gone' | 'host_down'; reason: string | null }
  | { type: 'held'; on: boolean }
  // Keys were not typed, or the pane does not take that size.
  | { type: 'refused'; reason: string };

export type Stream =
  // Nothing can be drawn before the next snapshot.
  | { at: 'waiting' }
  // Its words have come, its picture comes next.
  | { at: 'snapshot'; seq: number; columns: number; rows: number }
  // `seq`: how many bytes the pane had printed where the next one goes on. `most`: how many may wait to be drawn.
  | { at: 'live'; seq: number; most: number }
  // Too much waits to be drawn: what comes is let go, and asked for again as a picture.
  | { at: 'behind' };

export type StreamEvent =
  | { type: 'word'; word: Word }
  | { type: 'frame'; bytes: Uint8Array; waiting: number }
  | { type: 'drained' };

export type Effect =
  // Into a terminal that is as new.
  | { do: 'paint'; bytes: Uint8Array; columns: number; rows: number }
  | { do: 'write'; bytes: Uint8Array }
  | { do: 'resync' };

// Bytes behind a picture that may wait to be drawn; with more it is quicker to draw another picture.
export const MOST_WAITING = 2_000_000;
const HEAD = 8;

export function nextStream(stream: Stream, event: StreamEvent): [Stream, Effect[]] {
  switch (event.type) {
    case 'word': {
      const { word } = event;
      if (word.type !== 'snapshot') return [stream, []];
      return [{ at: 'snapshot', seq: word.seq, columns: word.columns, rows: word.rows }, []];
    }
    case 'drained':
      return stream.at === 'behind' ? [{ at: 'waiting' }, [{ do: 'resync' }]] : [stream, []];
    case 'frame':
      return framed(stream, event.bytes, event.waiting);
  }
}

function framed(stream: Stream, bytes: Uint8Array, waiting: number): [Stream, Effect[]] {
  if (stream.at === 'snapshot') {
    const { seq, columns, rows } = stream;
    // The picture itself, and what was handed over before it, do not count: another picture would be no smaller.
    const most = waiting + bytes.length + MOST_WAITING;
    return [{ at: 'live', seq, most }, [{ do: 'paint', bytes, columns, rows }]];
  }
  if (stream.at !== 'live') return [stream, []];
  if (bytes.length < HEAD) return [{ at: 'waiting' }, [{ do: 'resync' }]];
  if (waiting > stream.most) return [{ at: 'behind' }, []];
  const start = Number(new DataView(bytes.buffer, bytes.byteOffset, HEAD).getBigUint64(0));
  const text = bytes.subarray(HEAD);
  const end = start + text.length;
  // Drawn already, in the picture.
  if (end <= stream.seq) return [stream, []];
  if (start > stream.seq) return [{ at: 'waiting' }, [{ do: 'resync' }]];
  return [{ ...stream, seq: end }, [{ do: 'write', bytes: text.subarray(stream.seq - start) }]];
}
