// A session's screen, small: drawn while somebody can see it, asked for again only when it has changed.
import { useEffect, useRef, useState } from 'react';
import { send } from '../api/request.js';
import { useTabInSight } from '../parts/use-tab-in-sight.js';
import { usePick } from '../state/store.js';
import { paletteColour, type Run, readCells } from './cells.js';

const WIDE = 60;
// The last rows that hold something: that is where it happens. More than there is room for.
const HIGH = 40;
// Cells are about twice as high as wide.
const RATIO = 2;

// All miniatures together ask for no more than this many screens a second, but for the first of each: each of many that change
// all the time is then drawn a little less often.
const SPACING_MS = 100;
let nextSlot = 0;

function slotIn(now: number): number {
  const at = Math.max(now, nextSlot);
  nextSlot = at + SPACING_MS;
  return at - now;
}

export function Miniature({ session, name }: { session: string; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isOnScreen, setOnScreen] = useState(false);
  const isInSight = useTabInSight() && isOnScreen;
  const seq = usePick((state) => state.screens[session]);
  const isLive = usePick((state) => state.link.at === 'live');
  const last = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (!canvas.current) return;
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? false));
    observer.observe(canvas.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the number says that the screen has changed
  useEffect(() => {
    if (!isInSight || !isLive) return;
    const look = async (): Promise<void> => {
      timer.current = undefined;
      const headers = last.current ? { 'if-none-match': last.current } : undefined;
      const answer = await send('GET', `/sessions/${session}/screen?format=ansi`, undefined, headers);
      if (answer.status === 304) return;
      const screen = await answer.text();
      if (!canvas.current) return;
      last.current = answer.headers.get('etag') ?? undefined;
      draw(canvas.current, lastRows(readCells(screen)));
    };
    // What was drawn last stays where it cannot be had. One that has its turn coming sees this change too.
    if (last.current === undefined) void look().catch(() => {});
    else timer.current ??= setTimeout(() => void look().catch(() => {}), slotIn(performance.now()));
  }, [session, isInSight, isLive, seq]);

  return <canvas ref={canvas} className="miniature" role="img" aria-label={`The screen of ${name}, small`} />;
}

function draw(canvas: HTMLCanvasElement, rows: readonly Run[][]): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const ink = style.getPropertyValue('--screen-ink').trim() || '#ddd';
  const paper = style.backgroundColor;
  const base = Array.from({ length: 16 }, (_, at) => style.getPropertyValue(`--ansi-${at}`).trim());
  const columns = Math.max(WIDE, ...rows.map((row) => endOf(row)));
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth * scale;
  const cell = width / columns;
  canvas.width = width;
  canvas.height = Math.round(canvas.clientHeight * scale);
  // From the top; of more than there is room for, the last.
  const room = Math.max(1, Math.floor(canvas.height / (cell * RATIO)));
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'alphabetic';
  const colour = (given: Run['ink'], otherwise: string): string =>
    given === null ? otherwise : typeof given === 'string' ? given : paletteColour(given, base);
  rows.slice(-room).forEach((row, line) => {
    const y = line * cell * RATIO;
    for (const run of row) {
      const [front, back] = run.isInverse
        ? [colour(run.paper, paper), colour(run.ink, ink)]
        : [colour(run.ink, ink), colour(run.paper, paper)];
      const x = run.column * cell;
      if (back !== paper) {
        context.fillStyle = back;
        context.fillRect(x, y, run.text.length * cell, cell * RATIO);
      }
      context.globalAlpha = run.isDim ? 0.6 : 1;
      context.fillStyle = front;
      context.font = `${run.isBold ? '600 ' : ''}${cell * 1.66}px ui-monospace, Menlo, Consolas, monospace`;
      // Its own width, whatever the font says.
      if (run.text.trim() !== '')
        context.fillText(run.text, x, y + cell * RATIO * 0.78, run.text.length * cell);
      context.globalAlpha = 1;
    }
  });
}

const endOf = (row: readonly Run[]): number => {
  const last = row.at(-1);
  return last ? last.column + last.text.trimEnd().length : 0;
};

function lastRows(rows: readonly Run[][]): readonly Run[][] {
  let end = rows.length;
  while (end > 0 && rows[end - 1]?.every(({ text }) => text.trim() === '')) end--;
  return rows.slice(Math.max(0, end - HIGH), end);
}
