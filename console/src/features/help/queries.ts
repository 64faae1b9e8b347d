import { keepPreviousData } from '@tanstack/react-query';
import {
  type ArticleComparison,
  type ArticlePageRequest,
  type ArticleVersionPageRequest,
  articleCompareVersions,
  articleGet,
  articlePage,
  articlePageVersions,
  call,
  helpSearch,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const ARTICLES = 'resource/article';

const refreshed = [['help'], ['articles']];

/** What readers and authors see is asked for again. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useArticles(body: ArticlePageRequest) {
  return useRead({
    queryKey: ['articles', 'page', body],
    queryFn: ({ signal }) => call(articlePage({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export async function allArticles(body: ArticlePageRequest) {
  return (await call(articlePage({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useDraft(name: string) {
  return useRead({
    queryKey: ['articles', 'draft', name],
    queryFn: ({ signal }) => call(articleGet({ body: { name }, signal })),
    enabled: name !== '',
    staleTime: 0,
    gcTime: 0,
  });
}

export function useVersions(body: ArticleVersionPageRequest) {
  return useRead({
    queryKey: ['articles', 'versions', body],
    queryFn: ({ signal }) => call(articlePageVersions({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export function useDifference(body: ArticleComparison) {
  return useRead({
    queryKey: ['articles', 'difference', body],
    queryFn: ({ signal }) => call(articleCompareVersions({ body, signal })),
    staleTime: 0,
  });
}

export function useHits(text: string) {
  return useRead({
    queryKey: ['help', 'search', text],
    queryFn: ({ signal }) => call(helpSearch({ body: { text }, signal })),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}
