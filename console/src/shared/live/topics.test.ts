import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { refresh } from './topics';

function observed(client: QueryClient, key: string, topics: readonly ('link' | 'alert')[] | undefined) {
  const look = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const observer = new QueryObserver(client, {
    queryKey: [key],
    queryFn: look,
    meta: { topics },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { look, stop: observer.subscribe(() => {}) };
}

it('asks again for what follows from an announced topic, and for nothing else', async () => {
  const client = new QueryClient();
  const links = observed(client, 'links', ['link']);
  const alerts = observed(client, 'alerts', ['alert']);
  const settings = observed(client, 'settings', undefined);
  await vi.waitFor(() => expect(settings.look).toHaveBeenCalledOnce());
  await refresh(client, new Set(['link']));
  expect([links, alerts, settings].map(({ look }) => look.mock.calls.length)).toEqual([2, 1, 1]);
  await refresh(client);
  expect([links, alerts, settings].map(({ look }) => look.mock.calls.length)).toEqual([3, 2, 1]);
  for (const { stop } of [links, alerts, settings]) stop();
});

it('asks once more where an answer was under way, which may be older than the change', async () => {
  const client = new QueryClient();
  const links = observed(client, 'links', ['link']);
  await refresh(client, new Set(['link']));
  expect(links.look).toHaveBeenCalledTimes(2);
  expect(client.getQueryState(['links'])?.fetchStatus).toBe('idle');
  links.stop();
});
