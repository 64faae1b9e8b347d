import { useMutation } from '@tanstack/react-query';
import { call, progressCancel, progressGet } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';

const INTERVAL = 500;

export function useProgress(key: string) {
  return useLive({
    queryKey: ['progress', key],
    queryFn: ({ signal }) => call(progressGet({ body: { key }, signal })),
    interval: INTERVAL,
  });
}

/** Answers whether the call will end without having changed anything. */
export function useCancelling(key: string) {
  return useMutation({ mutationFn: () => call(progressCancel({ body: { key } })) });
}
