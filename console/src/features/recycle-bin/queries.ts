import { keepPreviousData } from '@tanstack/react-query';
import { call, type RecycledPageRequest, type RecycledRecord, recycleBinPage } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const RECYCLE_BIN = 'resource/recycleBin';

/** The page of each kind. Restoring and deleting an object need the right to create and delete there as well. */
export const MENU_OF_KIND = {
  'saved-sql': 'resource/sqlManagement',
  policy: 'policy/define',
} as const satisfies Record<RecycledRecord['kind'], string>;

const refreshed = [['recycle-bin'], ['sql', 'saved'], ['policy']];

/** The bin and the lists that objects go back to are asked for again. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useRecycled(body: RecycledPageRequest) {
  return useRead({
    queryKey: ['recycle-bin', body],
    queryFn: ({ signal }) => call(recycleBinPage({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export async function allRecycled(body: RecycledPageRequest): Promise<RecycledRecord[]> {
  return (await call(recycleBinPage({ body: { ...body, current: 1, size: -1 } }))).records;
}
