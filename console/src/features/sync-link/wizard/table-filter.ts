import { useUrlState } from '@/shared/hooks/use-url-state';

/** What the list of source tables is narrowed to; kept in the address. */
const defaults = { schema: '', search: '', hasKey: '' };

export type KeyFilter = '' | 'yes' | 'no';

export function useTableFilter() {
  return useUrlState(defaults, 'tables-');
}
