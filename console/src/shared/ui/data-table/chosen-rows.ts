import { useCallback, useMemo, useState } from 'react';

export interface ChosenRows<Row> {
  /** Those of all pages, each as it was last seen. */
  rows: readonly Row[];
  keys: ReadonlySet<string>;
  choose: (keys: ReadonlySet<string>) => void;
  /** Chooses rows that need not be in sight. */
  add: (rows: readonly Row[]) => void;
  clear: () => void;
}

const none: readonly never[] = [];

/**
 * The rows that are chosen in a list. Those of other pages stay chosen, and what they may do is remembered as it was when
 * they were seen; those of the page in sight are as it has them now. `shown` and `keyOf` must not change between renders
 * without need.
 */
export function useChosenRows<Row>(
  shown: readonly Row[] = none,
  keyOf: (row: Row) => string,
): ChosenRows<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const current = useMemo(() => new Map(shown.map((row) => [keyOf(row), row])), [shown, keyOf]);
  const keys = useMemo(() => new Set(chosen.keys()), [chosen]);
  const rows = useMemo(() => [...chosen].map(([key, row]) => current.get(key) ?? row), [chosen, current]);
  const choose = useCallback(
    (wanted: ReadonlySet<string>) =>
      setChosen((before) => new Map([...before, ...current].filter(([key]) => wanted.has(key)))),
    [current],
  );
  const add = useCallback(
    (more: readonly Row[]) =>
      setChosen((before) => new Map([...before, ...more.map((row) => [keyOf(row), row] as const)])),
    [keyOf],
  );
  const clear = useCallback(() => setChosen(new Map()), []);
  return { rows, keys, choose, add, clear };
}
