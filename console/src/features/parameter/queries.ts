import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { call, dictionaryGet, dictionaryPage, parameterPage } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

const KEY = ['dictionary'];

export function useParameters(request: TableRequest, search: string) {
  const body = { ...request, search };
  return useRead({
    queryKey: ['parameter', 'page', body],
    queryFn: ({ signal }) => call(parameterPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every parameter that the search leaves, sorted as the list is. */
export async function allParameters(request: TableRequest, search: string) {
  return (await call(parameterPage({ body: { ...request, search, current: 1, size: -1 } }))).records;
}

export function useDictionaries(request: TableRequest, search: string) {
  const body = { ...request, search };
  return useRead({
    queryKey: [...KEY, 'page', body],
    queryFn: ({ signal }) => call(dictionaryPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every dictionary that the search leaves, sorted as the list is. */
export async function allDictionaries(request: TableRequest, search: string) {
  return (await call(dictionaryPage({ body: { ...request, search, current: 1, size: -1 } }))).records;
}

/** One dictionary, as it is now; nothing while a new one is made. */
export function useDictionary(dictType: string | undefined) {
  return useRead({
    queryKey: [...KEY, 'get', dictType],
    queryFn: ({ signal }) => call(dictionaryGet({ body: { dictType: dictType ?? '' }, signal })),
    enabled: dictType !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

export function useRefreshDictionaries(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}
