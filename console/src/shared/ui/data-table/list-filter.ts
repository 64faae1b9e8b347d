import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { onLayoutsFetched, readLayout, saveLayout } from './layout-store';

type Filter = Record<string, string>;

function isUnset(filter: Filter, defaults: Filter): boolean {
  return Object.entries(defaults).every(([name, value]) => (filter[name] ?? value) === value);
}

/**
 * What narrows a list: kept in the address, and remembered for the viewer. An address that says nothing about it, as
 * the menu's, brings back what the viewer had chosen last; one that does, as a shared link does, wins. A narrower list
 * begins at its first page. `defaults` must not change between renders.
 */
export function useListFilter<Wanted extends Filter>(
  table: string,
  defaults: Wanted,
  prefix = '',
): readonly [Wanted, (change: Partial<Wanted>) => void] {
  // One change of the address for both: two in a row would each begin at the address as it was.
  const inAddress = useMemo(() => ({ ...defaults, current: 1 }), [defaults]);
  const [state, change] = useUrlState<Record<string, string | number>>(inAddress, prefix);
  const filter = useMemo(
    () => Object.fromEntries(Object.keys(defaults).map((name) => [name, state[name]])) as Wanted,
    [defaults, state],
  );
  const shown = useRef(filter);
  shown.current = filter;
  // biome-ignore lint/correctness/useExhaustiveDependencies: recalled when the list is opened, not whenever it changes
  useEffect(() => {
    const recall = () => {
      const remembered = readLayout(table).filters;
      if (remembered && isUnset(shown.current, defaults)) change(remembered);
    };
    recall();
    return onLayoutsFetched(recall);
  }, []);
  const narrow = useCallback(
    (wanted: Partial<Wanted>) => {
      shown.current = { ...shown.current, ...wanted };
      saveLayout(table, { ...readLayout(table), filters: shown.current });
      change({ ...wanted, current: 1 });
    },
    [table, change],
  );
  return [filter, narrow] as const;
}
