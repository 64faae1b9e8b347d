import { useCallback } from 'react';
import type { TaskTableRecord } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { ERROR_PREFIX } from './queries';

/** One change of the address for all of it: two in a row would each begin at the address as it was. */
const TABLE = `${ERROR_PREFIX}table`;
const defaults = { tab: 'tables', [TABLE]: '' };

/** Opens the tab `errors` of a page with what the target refused of one table. */
export function useErrorTab(): (table: TaskTableRecord) => void {
  const [, change] = useUrlState(defaults);
  return useCallback(({ id }: TaskTableRecord) => change({ tab: 'errors', [TABLE]: id }), [change]);
}
