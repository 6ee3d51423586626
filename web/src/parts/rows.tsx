// A list whose rows, or buttons in them, may go while they have the focus: it then passes to the row that stands there now.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

export function Rows({ children }: { children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  // Which row has the focus, and where it stands.
  const at = useRef<{ row: Element; place: number }>(undefined);
  useLayoutEffect(() => {
    const rows = list.current?.children;
    if (at.current === undefined || !rows || !isLost()) return;
    const { row, place } = at.current;
    const next = row.isConnected ? row : rows[Math.min(place, rows.length - 1)];
    if (!(next instanceof HTMLElement)) return;
    next.tabIndex = -1;
    next.focus();
  });
  // The last row has gone, and the list with it.
  useEffect(
    () => () => {
      if (at.current !== undefined && isLost()) document.querySelector<HTMLElement>('#main')?.focus();
    },
    [],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks where the focus is
    <div
      ref={list}
      className="messages"
      onFocus={({ target }) => {
        const rows = [...(list.current?.children ?? [])];
        const place = rows.findIndex((row) => row.contains(target));
        const row = rows[place];
        at.current = row && { row, place };
      }}
      onBlur={() => {
        at.current = undefined;
      }}
    >
      {children}
    </div>
  );
}
