import { useMemo, useState } from 'react';
import { useUrlState } from '@/shared/hooks/use-url-state';
import type { SortOrder, TableState } from './types';

export const ALL_ROWS = -1;

/** The sizes of the console's lists. */
export const pageSizes: readonly number[] = [20, 50, 100, 300, 500, 1000];

/** The specification's sizes of the generic table, which can show everything at once. */
export const genericPageSizes: readonly number[] = [20, 100, 1000, ALL_ROWS];

const defaults = { current: 1, size: 20, sort: '', order: '' };

type Stored = typeof defaults;

/**
 * Page, size and sorting of a list, kept in the address. `prefix` keeps two lists of one page apart; `usualSize` is the
 * size until the viewer chooses another.
 */
export function useTableState(prefix = '', sizes = pageSizes, usualSize = defaults.size): TableState {
  const usual = useMemo(() => ({ ...defaults, size: usualSize }), [usualSize]);
  const [state, change] = useUrlState(usual, prefix);
  return useMemo(() => tableState(state, change, sizes, usualSize), [state, change, sizes, usualSize]);
}

/** The same for a list in a dialog: forgotten when it closes. */
export function useOwnTableState(): TableState {
  const [state, setState] = useState(defaults);
  return useMemo(
    () =>
      tableState(state, (part) => setState((before) => ({ ...before, ...part })), pageSizes, defaults.size),
    [state],
  );
}

function tableState(
  state: Stored,
  change: (part: Partial<Stored>) => void,
  sizes: readonly number[],
  usualSize: number,
): TableState {
  const size = sizes.includes(state.size) ? state.size : usualSize;
  return {
    sizes,
    request: {
      current: size === ALL_ROWS ? 1 : Math.max(1, state.current),
      size,
      ...(state.sort && (state.order === 'asc' || state.order === 'desc')
        ? { sort: state.sort, order: state.order as SortOrder }
        : {}),
    },
    setPage: (current, next) => change({ current: next === size ? current : 1, size: next }),
    setSort: (sort, order) => change({ sort: sort ?? '', order: order ?? '', current: 1 }),
    toFirstPage: () => change({ current: 1 }),
  };
}

/** A click on a column's head: descending, then ascending, then not sorted by it. */
export function nextOrder(order: SortOrder | undefined): SortOrder | undefined {
  if (order === undefined) return 'desc';
  return order === 'desc' ? 'asc' : undefined;
}
