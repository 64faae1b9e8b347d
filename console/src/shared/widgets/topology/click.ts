import { useCallback, useEffect, useRef } from 'react';

/** Milliseconds in which a second click makes a double click of the first. */
export const CLICK_DELAY = 260;

interface Waiting<Target> {
  target: Target;
  timer: ReturnType<typeof setTimeout>;
  count: () => void;
}

/**
 * Distinguishes clicks from double clicks: a click counts when no second one on the same element came in time. `clicks`: how many
 * in a row the browser counts, by the system's own time for it, which holds on a slow machine as well.
 */
export function useClicks<Target>(
  onClick: ((target: Target) => void) | undefined,
  onDoubleClick: ((target: Target) => void) | undefined,
): (target: Target, clicks?: number) => void {
  const waiting = useRef<Waiting<Target>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
  return useCallback(
    (target: Target, clicks = 1) => {
      const first = waiting.current;
      clearTimeout(first?.timer);
      waiting.current = undefined;
      if (clicks > 1 || first?.target === target) return onDoubleClick?.(target);
      first?.count();
      const count = () => onClick?.(target);
      const timer = setTimeout(() => {
        waiting.current = undefined;
        count();
      }, CLICK_DELAY);
      waiting.current = { target, timer, count };
    },
    [onClick, onDoubleClick],
  );
}
