import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, type SearchRequest, searchSearch } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';

const SETTLED_MILLISECONDS = 150;

/** What was found for a text; nothing is asked for an empty one. */
export function useSearch(body: Required<Pick<SearchRequest, 'text' | 'kinds' | 'limit'>>) {
  return useRead({
    queryKey: ['search', body],
    queryFn: ({ signal }) => call(searchSearch({ body, signal })),
    enabled: body.text !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** A text once it was not typed into for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
