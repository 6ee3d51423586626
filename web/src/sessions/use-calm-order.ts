// The order on the screen: as it should be, unless somebody is pointing at it or moving through it with the keyboard.
import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { heldOrder, type Placed, sameOrder } from './order.js';

// So long after the last movement of the pointer over the list it counts as left alone.
const REST_MS = 4000;

export interface CalmOrder {
  shown: readonly Placed[];
  // Somebody should stand elsewhere, and waits until nobody is at it.
  isStale: boolean;
  sort: () => void;
  watch: {
    onPointerMove: (event: PointerEvent) => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: () => void;
  };
}

export function useCalmOrder(wanted: readonly Placed[]): CalmOrder {
  const [isAt, setAt] = useState(false);
  const [shown, setShown] = useState(wanted);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasFocus = useRef(false);
  const rest = useCallback(() => {
    if (!hasFocus.current) setAt(false);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const next = isAt ? heldOrder(shown, wanted) : wanted;
  const current = sameOrder(next, shown) ? shown : next;
  if (current !== shown) setShown(current);

  return {
    shown: current,
    isStale: !sameOrder(current, wanted),
    sort: () => setShown(wanted),
    watch: {
      onPointerMove: () => {
        setAt(true);
        clearTimeout(timer.current);
        timer.current = setTimeout(rest, REST_MS);
      },
      onPointerLeave: () => {
        clearTimeout(timer.current);
        rest();
      },
      onFocus: () => {
        hasFocus.current = true;
        setAt(true);
      },
      onBlur: () => {
        hasFocus.current = false;
        clearTimeout(timer.current);
        timer.current = setTimeout(rest, REST_MS / 4);
      },
    },
  };
}
