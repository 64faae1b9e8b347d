import { keepPreviousData } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, type RecycledPageRequest, type RecycledRecord, recycleBinPage } from '@/shared/api';
import { grants, useGrantedMenu } from '@/shared/hooks/granted-menu';
import { useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const RECYCLE_BIN = 'resource/recycleBin';

/** The page of each kind. Restoring and deleting an object need the right to create and delete there as well. */
const MENU_OF_KIND = {
  'sync-link': 'sync-link',
  'publish-node': 'publish',
  subscriber: 'subscribe',
  master: 'subscribe',
  'data-service': 'data-service/api-group',
  'api-group': 'data-service/api-group',
  api: 'data-service/api-group',
  policy: 'policy/define',
  'task-plan': 'task',
  'saved-sql': 'resource/sqlManagement',
  article: 'resource/article',
  user: 'authority-management/user-management',
} as const satisfies Record<RecycledRecord['kind'], string>;

export const KINDS = Object.keys(MENU_OF_KIND) as RecycledRecord['kind'][];

/** Whether the viewer may restore, or delete for good, objects of a kind as far as the kind's own page decides. */
export function useMayOfKind(): (kind: RecycledRecord['kind'], operation: 'create' | 'delete') => boolean {
  const { data } = useGrantedMenu();
  return useCallback((kind, operation) => grants(data ?? [], MENU_OF_KIND[kind], operation), [data]);
}

const refreshed = [
  ['recycle-bin'],
  ['sql', 'saved'],
  ['articles'],
  ['help'],
  ...['policy', 'sync-link', 'publish', 'subscribe', 'data-service', 'task-plan', 'authority'].map((key) => [
    key,
  ]),
];

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
