import { useCallback, useEffect, useMemo, useState } from 'react';
import { useUrlState } from '@/shared/hooks/use-url-state';

export interface ChosenRows<Row> {
  /** Those of all pages, each as it was last seen. */
  rows: readonly Row[];
  keys: ReadonlySet<string>;
  /** `loaded`: rows that are meant, too, without being in sight. */
  choose: (keys: ReadonlySet<string>, loaded?: readonly Row[]) => void;
  /** Chooses rows that need not be in sight. */
  add: (rows: readonly Row[]) => void;
  clear: () => void;
}

const none: readonly never[] = [];

/** Longer choices are not kept in the address: browsers, proxies and mails cut one of more than 2,000 characters. */
const MAX_KEPT = 50;

const inAddress = { chosen: '' };

/**
 * The rows that are chosen in a list. Those of other pages stay chosen, and what they may do is remembered as it was when
 * they were seen; those of the page in sight are as it has them now. `shown` and `keyOf` must not change between renders
 * without need. With `keptAs`, the prefix of the list's state in the address, the choice is kept there: after a reload a
 * row is chosen again as soon as its page is seen.
 */
export function useChosenRows<Row>(
  shown: readonly Row[] = none,
  keyOf: (row: Row) => string,
  keptAs?: string,
): ChosenRows<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const keep = useKept(shown, keyOf, setChosen, keptAs);
  const current = useMemo(() => mapOf(shown, keyOf), [shown, keyOf]);
  const keys = useMemo(() => new Set(chosen.keys()), [chosen]);
  const rows = useMemo(() => [...chosen].map(([key, row]) => current.get(key) ?? row), [chosen, current]);
  const set = useCallback(
    (next: ReadonlyMap<string, Row>) => {
      setChosen(next);
      keep([...next.keys()]);
    },
    [keep],
  );
  const choose = useCallback(
    (wanted: ReadonlySet<string>, loaded: readonly Row[] = none) => {
      const known = [...chosen, ...mapOf(loaded, keyOf), ...current];
      set(new Map(known.filter(([key]) => wanted.has(key))));
    },
    [chosen, current, keyOf, set],
  );
  const add = useCallback(
    (more: readonly Row[]) => set(new Map([...chosen, ...mapOf(more, keyOf)])),
    [chosen, keyOf, set],
  );
  const clear = useCallback(() => set(new Map()), [set]);
  return { rows, keys, choose, add, clear };
}

function mapOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Takes up what the address says is chosen, and answers what writes the choice into it. */
function useKept<Row>(
  shown: readonly Row[],
  keyOf: (row: Row) => string,
  setChosen: (change: (before: ReadonlyMap<string, Row>) => ReadonlyMap<string, Row>) => void,
  keptAs: string | undefined,
): (keys: readonly string[]) => void {
  const [state, change] = useUrlState(inAddress, keptAs);
  const [awaited, setAwaited] = useState<ReadonlySet<string>>(
    () => new Set(keptAs === undefined ? [] : state.chosen.split(',').filter(Boolean)),
  );
  useEffect(() => {
    const found = shown.filter((row) => awaited.has(keyOf(row)));
    if (found.length === 0) return;
    setAwaited(new Set([...awaited].filter((key) => !found.some((row) => keyOf(row) === key))));
    setChosen((before) => new Map([...before, ...mapOf(found, keyOf)]));
  }, [shown, keyOf, awaited, setChosen]);
  return useCallback(
    (keys: readonly string[]) => {
      if (keptAs === undefined) return;
      // Who empties the choice means those as well that wait for their page.
      const all = keys.length === 0 ? [] : [...keys, ...awaited];
      if (keys.length === 0) setAwaited(new Set());
      change({ chosen: all.length > MAX_KEPT ? '' : all.join(',') });
    },
    [keptAs, awaited, change],
  );
}
