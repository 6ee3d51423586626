// The order on the screen: as it should be, unless somebody is pointing at it or moving through it with the keyboard.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { heldOrder, type Placed, sameOrder } from './order.js';

// So long after the last movement of the pointer over the list it counts as left alone.
const REST_MS = 4000;
const LEFT_MS = 300;

export interface CalmOrder {
  shown: readonly Placed[];
  // Somebody should stand elsewhere, and waits until nobody is at it.
  isStale: boolean;
  sort: () => void;
  list: RefObject<HTMLDivElement | null>;
  watch: {
    onPointerMove: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: () => void;
  };
}

export function useCalmOrder(wanted: readonly Placed[]): CalmOrder {
  const [isAt, setAt] = useState(false);
  const [shown, setShown] = useState(wanted);
  const list = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Somebody is at it; looked at again after so long, since what had the focus may have gone without a word.
  const stay = useCallback((ms: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const focused = list.current?.querySelector(':focus-visible');
      if (focused) stay(REST_MS);
      else setAt(false);
    }, ms);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const next = isAt ? heldOrder(shown, wanted) : wanted;
  const current = sameOrder(next, shown) ? shown : next;
  if (current !== shown) setShown(current);

  const come = (): void => {
    setAt(true);
    stay(REST_MS);
  };
  return {
    shown: current,
    isStale: !sameOrder(current, wanted),
    sort: () => setShown(wanted),
    list,
    watch: {
      onPointerMove: come,
      onPointerLeave: () => stay(LEFT_MS),
      onFocus: come,
      onBlur: () => stay(LEFT_MS),
    },
  };
}
