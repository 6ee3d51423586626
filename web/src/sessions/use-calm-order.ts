// The order on the screen: as it should be, unless somebody is pointing at it or moving through it with the keyboard.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { heldOrder, type Placed, sameOrder } from './order.js';

// So long after the last touch of the list it is looked at whether somebody is still there.
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

// A finger leaves nothing behind that hovers, though the browser goes on saying so of what it touched last.
const isPointedAt = (list: Element | null): boolean =>
  list !== null && window.matchMedia('(hover: hover)').matches && list.matches(':hover');

// `question`: what the person asked to see. Who asks for something else gets it in its right order at once.
export function useCalmOrder(wanted: readonly Placed[], question: string): CalmOrder {
  const [isAt, setAt] = useState(false);
  const [{ shown, asked }, setShown] = useState({ shown: wanted, asked: question });
  const list = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Somebody is at it; looked at again after so long, since what had the focus may have gone without a word.
  const stay = useCallback((ms: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (isPointedAt(list.current) || list.current?.querySelector(':focus-visible')) stay(REST_MS);
      else setAt(false);
    }, ms);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const next = isAt && asked === question ? heldOrder(shown, wanted) : wanted;
  const current = sameOrder(next, shown) ? shown : next;
  if (current !== shown || asked !== question) setShown({ shown: current, asked: question });

  const come = (): void => {
    setAt(true);
    stay(REST_MS);
  };
  return {
    shown: current,
    isStale: !sameOrder(current, wanted),
    sort: () => setShown({ shown: wanted, asked: question }),
    list,
    watch: {
      onPointerMove: come,
      onPointerLeave: () => stay(LEFT_MS),
      onFocus: come,
      onBlur: () => stay(LEFT_MS),
    },
  };
}
