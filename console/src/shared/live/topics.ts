import type { Query, QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import type { Topic } from './socket';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What the answer follows from: it is asked for again as soon as one of these is announced. */
      topics?: readonly Topic[];
    };
  }
}

/** Whether changes are announced; while they are, pages ask seldom by themselves. */
export const useAnnounced = create(() => ({ isLive: false }));

/** What a list or page of tables, links and services with their figures follows from. */
export const replication: readonly Topic[] = ['link', 'service', 'table', 'figures', 'call'];

const keepUnderWay = { cancelRefetch: false };

/** Asks again for everything in front that follows from these topics; undefined: from any. */
export async function refresh(client: QueryClient, topics?: ReadonlySet<Topic>): Promise<void> {
  const concerned = ({ meta }: Query) =>
    meta?.topics?.some((topic) => topics === undefined || topics.has(topic)) ?? false;
  // An answer that is under way may be older than the change. Calling it off would starve a slow list.
  const underWay = new Set(
    client.getQueryCache().findAll({ type: 'active', fetchStatus: 'fetching', predicate: concerned }),
  );
  await client.invalidateQueries({ predicate: concerned }, keepUnderWay);
  if (underWay.size > 0) {
    await client.invalidateQueries({ predicate: (query) => underWay.has(query) }, keepUnderWay);
  }
}
