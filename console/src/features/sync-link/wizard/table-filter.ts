import { useUrlState } from '@/shared/hooks/use-url-state';

/** What the list of source tables is narrowed to; kept in the address, next to the list's page (see useTableState). */
const defaults = { schema: '', search: '', hasKey: '', current: 1 };

export type KeyFilter = '' | 'yes' | 'no';

export function useTableFilter() {
  const [filter, change] = useUrlState(defaults, 'tables-');
  // A narrower list begins at its first page, in the same change of the address.
  const narrow = (part: Partial<Omit<typeof filter, 'current'>>) => change({ ...part, current: 1 });
  return [filter, narrow] as const;
}
