import { useQuery } from '@tanstack/react-query';
import { call, captchaGetSlide, captchaGetSlideState } from '@/shared/api';

const POLL_MILLISECONDS = 1000;

/** A puzzle is good once and for two minutes; `renew` fetches another. */
export function useSlidePuzzle() {
  const query = useQuery({
    queryKey: ['slide-verify', 'puzzle'],
    queryFn: ({ signal }) => call(captchaGetSlide({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return { puzzle: query.data, failure: query.error, renew: query.refetch };
}

/** Asks each second whether the puzzle can still be solved; false only when the server has said so. */
export function useIsOver(uuid: string | undefined): boolean {
  const query = useQuery({
    queryKey: ['slide-verify', 'state', uuid],
    queryFn: ({ signal }) => call(captchaGetSlideState({ body: { uuid: uuid ?? '' }, signal })),
    enabled: uuid !== undefined,
    refetchInterval: POLL_MILLISECONDS,
    gcTime: 0,
    retry: false,
  });
  return query.data?.isOpen === false;
}
