import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { refresh } from '@/shared/live/topics';
import { useHistory, useScreen } from './queries';

const look = vi.hoisted(() => vi.fn<(of: string) => void>());
const answered = vi.hoisted(() => (of: string) => () => {
  look(of);
  return Promise.resolve({ data: { code: 200, message: '', data: {} }, response: new Response() });
});

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  overviewMonitorGet: answered('screen'),
  overviewMonitorHistory: answered('history'),
}));

it('asks at once when an alert or a state is announced; the past only grows with time', async () => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const wall = () => [useScreen().data, useHistory().data];
  const { result } = renderHook(wall, { wrapper });
  await waitFor(() => expect(result.current).toEqual([{}, {}]));
  look.mockClear();
  await refresh(client, new Set(['alert']));
  await refresh(client, new Set(['link']));
  await refresh(client, new Set(['plan']));
  expect(look.mock.calls).toEqual([['screen'], ['screen']]);
});
