import { keepPreviousData } from '@tanstack/react-query';
import { call, containerListServices, homeOverview, syncLinkPage } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';

const SHOWN_LINKS = 20;

export function useFirstLinks() {
  return useLive({
    queryKey: ['home', 'links'],
    queryFn: ({ signal }) => call(syncLinkPage({ body: { current: 1, size: SHOWN_LINKS }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useOverview() {
  return useLive({
    queryKey: ['home', 'overview'],
    queryFn: ({ signal }) => call(homeOverview({ body: {}, signal })),
  });
}

export function useServices() {
  return useLive({
    queryKey: ['home', 'services'],
    queryFn: ({ signal }) => call(containerListServices({ body: {}, signal })),
  });
}
