import { useMemo } from 'react';
import { useUrlState } from '@/shared/hooks/use-url-state';
import type { SortOrder, TableState } from './types';

export const pageSizes = [20, 50, 100, 300, 500, 1000];

const defaults = { current: 1, size: 20, sort: '', order: '' };

/** Page, size and sorting of a list, kept in the address. `prefix` keeps two lists of one page apart. */
export function useTableState(prefix = ''): TableState {
  const [state, change] = useUrlState(defaults, prefix);
  return useMemo(
    () => ({
      request: {
        current: Math.max(1, state.current),
        size: pageSizes.includes(state.size) ? state.size : defaults.size,
        ...(state.sort && (state.order === 'asc' || state.order === 'desc')
          ? { sort: state.sort, order: state.order as SortOrder }
          : {}),
      },
      setPage: (current, size) => change({ current, size }),
      setSort: (sort, order) => change({ sort: sort ?? '', order: order ?? '', current: 1 }),
      toFirstPage: () => change({ current: 1 }),
    }),
    [state, change],
  );
}

/** A click on a column's head: descending, then ascending, then not sorted by it. */
export function nextOrder(order: SortOrder | undefined): SortOrder | undefined {
  if (order === undefined) return 'desc';
  return order === 'desc' ? 'asc' : undefined;
}
