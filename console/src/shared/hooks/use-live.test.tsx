import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useAnnounced } from '@/shared/live/topics';
import { PageContext } from '@/shared/pages/page-context';
import { renderInFrame } from '@/testing/render';
import { LiveMark } from '../ui/live-mark';
import { ANNOUNCED_INTERVAL, LIVE_INTERVAL, useLive } from './use-live';

const look = vi.fn<() => Promise<number>>();

function Figure() {
  const query = useLive({ queryKey: ['figure'], queryFn: look, topics: ['link'] });
  return (
    <>
      <p data-testid="figure">{query.data}</p>
      <LiveMark query={query} />
    </>
  );
}

async function renderFigure(isActive: boolean) {
  await renderInFrame(
    <PageContext value={{ isActive, setTitle: () => {}, setTag: () => {} }}>
      <Figure />
    </PageContext>,
  );
  await pass(0);
}

function pass(milliseconds: number) {
  return act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  look.mockReset();
});

afterEach(() => {
  act(() => useAnnounced.setState({ isLive: false }));
  vi.useRealTimers();
});

it('looks again while the page is in front', async () => {
  look.mockResolvedValueOnce(1).mockResolvedValueOnce(2);
  await renderFigure(true);
  expect(screen.getByTestId('figure')).toHaveTextContent('1');
  await pass(LIVE_INTERVAL + 100);
  expect(screen.getByTestId('figure')).toHaveTextContent('2');
  expect(screen.getByText(/^as of/)).toBeInTheDocument();
});

it('stands still in the back', async () => {
  look.mockResolvedValue(1);
  await renderFigure(false);
  await pass(5 * LIVE_INTERVAL);
  expect(look).not.toHaveBeenCalled();
});

it('keeps the last figure when the connection is lost, says so, and mends by itself', async () => {
  look.mockResolvedValueOnce(1).mockRejectedValueOnce(new Error('gone')).mockResolvedValue(3);
  await renderFigure(true);
  await pass(LIVE_INTERVAL + 100);
  expect(screen.getByTestId('figure')).toHaveTextContent('1');
  expect(screen.getByRole('status')).toHaveTextContent(/Connection lost/);
  await pass(LIVE_INTERVAL + 100);
  expect(screen.getByTestId('figure')).toHaveTextContent('3');
  expect(screen.queryByText(/Connection lost/)).not.toBeInTheDocument();
});

it('looks seldom while changes are announced, and as before when they are not', async () => {
  look.mockResolvedValue(1);
  act(() => useAnnounced.setState({ isLive: true }));
  await renderFigure(true);
  await pass(ANNOUNCED_INTERVAL - 100);
  expect(look).toHaveBeenCalledOnce();
  await pass(200);
  expect(look).toHaveBeenCalledTimes(2);
  act(() => useAnnounced.setState({ isLive: false }));
  await pass(LIVE_INTERVAL + 100);
  expect(look).toHaveBeenCalledTimes(3);
});
