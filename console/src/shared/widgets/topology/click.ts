import { useCallback, useEffect, useRef } from 'react';

/** Milliseconds in which a second click makes a double click of the first. */
export const CLICK_DELAY = 260;

/** Tells clicks from double clicks: a click counts when no second one came in time. */
export function useClicks<Target>(
  onClick: ((target: Target) => void) | undefined,
  onDoubleClick: ((target: Target) => void) | undefined,
): (target: Target) => void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return useCallback(
    (target: Target) => {
      const isSecond = waiting.current !== undefined;
      clearTimeout(waiting.current);
      waiting.current = undefined;
      if (isSecond) return onDoubleClick?.(target);
      waiting.current = setTimeout(() => {
        waiting.current = undefined;
        onClick?.(target);
      }, CLICK_DELAY);
    },
    [onClick, onDoubleClick],
  );
}
