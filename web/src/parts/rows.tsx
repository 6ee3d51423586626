// A list whose rows, or buttons in them, may go while they have the focus: it then passes to the row that stands there now.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

export function Rows({ children }: { children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  // Which row has the focus.
  const at = useRef<number>(undefined);
  useLayoutEffect(() => {
    const rows = list.current?.children;
    if (at.current === undefined || !rows || !isLost()) return;
    const row = rows[Math.min(at.current, rows.length - 1)];
    if (!(row instanceof HTMLElement)) return;
    row.tabIndex = -1;
    row.focus();
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
        at.current = [...(list.current?.children ?? [])].findIndex((row) => row.contains(target));
      }}
      onBlur={() => {
        at.current = undefined;
      }}
    >
      {children}
    </div>
  );
}
