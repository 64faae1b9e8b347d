import { useEffect, useRef, useState } from 'react';

/** Lines in progress whose missing input is already marked. */
export interface Marks {
  isReported: (place: number) => boolean;
  /** The viewer has left a field of the line. */
  touch: (place: number) => void;
  remove: (place: number) => void;
}

/**
 * A line that was only just added is not complained about before it was touched, or before all were to be saved; then the
 * first field at fault within `fields` has the focus.
 */
export function useMarks(count: number) {
  const fields = useRef<HTMLDivElement>(null);
  const [reported, setReported] = useState<ReadonlySet<number>>(() => new Set(Array(count).keys()));
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts]);
  return {
    fields,
    isReported: (place: number) => reported.has(place),
    touch: (place: number) => setReported((before) => new Set([...before, place])),
    remove: (place: number) =>
      setReported(
        (before) =>
          new Set([...before].filter((one) => one !== place).map((one) => (one > place ? one - 1 : one))),
      ),
    reportAll: () => {
      setReported(new Set(Array(count).keys()));
      setAttempts(attempts + 1);
    },
  };
}
