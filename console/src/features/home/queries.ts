import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { call, containerListServices, homeHistory, homeOverview, syncLinkPage } from '@/shared/api';
import { grantedMenu, grants } from '@/shared/hooks/granted-menu';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useMay } from '@/shared/hooks/use-may';
import { replication } from '@/shared/live/topics';

const SHOWN_LINKS = 20;
/** Milliseconds: the past grows by a point a minute. */
const HISTORY_INTERVAL = 30_000;

interface Asked {
  signal: AbortSignal;
}

const firstLinks = {
  queryKey: ['home', 'links'],
  queryFn: ({ signal }: Asked) => call(syncLinkPage({ body: { current: 1, size: SHOWN_LINKS }, signal })),
};

const overview = {
  queryKey: ['home', 'overview'],
  queryFn: ({ signal }: Asked) => call(homeOverview({ body: {}, signal })),
};

/** Asks for what stands at the top of the page; for the links only where the viewer may see them. */
export async function fetchAhead(client: QueryClient): Promise<void> {
  client.prefetchQuery(overview);
  const menu = await client.ensureQueryData(grantedMenu);
  if (grants(menu, 'sync-link', 'view')) client.prefetchQuery(firstLinks);
}

export function useFirstLinks() {
  return useLive({ ...firstLinks, topics: replication, placeholderData: keepPreviousData });
}

export function useOverview() {
  return useLive({ ...overview, topics: [...replication, 'alert'] });
}

export function useServices() {
  return useLive({
    queryKey: ['home', 'services'],
    topics: ['service', 'call'],
    queryFn: ({ signal }) => call(containerListServices({ body: {}, signal })),
  });
}

/** The past, with that of the links that are listed. */
export function useHistory() {
  const mayLook = useMay('sync-link')('view');
  const { data } = useRead({ ...firstLinks, enabled: mayLook });
  const linkIds = mayLook ? data?.records.map(({ id }) => id) : [];
  return useLive({
    queryKey: ['home', 'history', linkIds],
    queryFn: ({ signal }) =>
      call(homeHistory({ body: { linkIds, utcOffset: -new Date().getTimezoneOffset() }, signal })),
    enabled: linkIds !== undefined,
    interval: HISTORY_INTERVAL,
    placeholderData: keepPreviousData,
  });
}
