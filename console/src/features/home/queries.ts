import { keepPreviousData } from '@tanstack/react-query';
import { call, containerListContainers, containerListServices, syncLinkPage } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';

const SHOWN_LINKS = 20;

export function useBusiestLinks() {
  return useLive({
    queryKey: ['home', 'links'],
    queryFn: ({ signal }) => call(syncLinkPage({ body: { current: 1, size: SHOWN_LINKS }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useHosts() {
  return useLive({
    queryKey: ['home', 'hosts'],
    queryFn: async ({ signal }) => {
      const containers = await call(containerListContainers({ body: {}, signal }));
      return containers.flatMap((container) => container.agents);
    },
  });
}

export function useServices() {
  return useLive({
    queryKey: ['home', 'services'],
    queryFn: ({ signal }) => call(containerListServices({ body: {}, signal })),
  });
}
