import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { useRefreshing } from './use-refreshing';

const look = vi.fn<() => Promise<string>>();
const KEYS = [['service']];

function Service() {
  const { data } = useQuery({ queryKey: ['service', 'state'], queryFn: look, staleTime: Infinity });
  const refresh = useRefreshing(KEYS);
  return (
    <button type="button" onClick={() => void refresh()}>
      {data}
    </button>
  );
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  look.mockReset();
});

afterEach(() => vi.useRealTimers());

it('shows what an action has changed at once, and a second later what an agent made of it', async () => {
  look.mockResolvedValueOnce('stopped').mockResolvedValueOnce('starting').mockResolvedValueOnce('started');
  await renderInFrame(<Service />);
  await pass(0);
  const button = screen.getByRole('button', { name: 'stopped' });
  act(() => button.click());
  await pass(50);
  expect(button).toHaveTextContent('starting');
  await pass(1000);
  expect(button).toHaveTextContent('started');
  await pass(10_000);
  expect(look).toHaveBeenCalledTimes(3);
});
