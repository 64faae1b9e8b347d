import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useIsOver } from './queries';

const state = vi.hoisted(() => vi.fn());
vi.mock('@/shared/api', async (original) => ({ ...(await original<object>()), captchaGetSlideState: state }));

afterEach(() => {
  vi.useRealTimers();
});

it('the puzzle is asked about every second until it is over', async () => {
  vi.useFakeTimers();
  let isOpen = true;
  state.mockImplementation(async () => ({
    data: { code: 200, message: '', data: { isOpen } },
    response: new Response(),
  }));
  const client = new QueryClient();
  const { result } = renderHook(() => useIsOver('p1'), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(state).toHaveBeenCalledTimes(1);
  expect(result.current).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(state).toHaveBeenCalledTimes(4);
  expect(state.mock.lastCall?.[0].body).toEqual({ uuid: 'p1' });
  isOpen = false;
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(result.current).toBe(true);
});
