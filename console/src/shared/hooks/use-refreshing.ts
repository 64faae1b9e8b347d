import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Milliseconds until an agent has executed an order and reported it: it is woken at once, and reports twice a second. */
const AGENT_REPORTS = 900;

/**
 * Asks again for everything that is shown under these keys, which stay the same between renders: at once, and once more when
 * the effect has come by way of an agent. A live page would show it two seconds later.
 */
export function useRefreshing(keys: readonly QueryKey[]): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(() => {
    const ask = () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    setTimeout(ask, AGENT_REPORTS);
    return ask();
  }, [client, keys]);
}
