import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CLICK_DELAY, useClicks } from './click';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function clicks() {
  const [one, two] = [vi.fn(), vi.fn()];
  const { result, unmount } = renderHook(() => useClicks<string>(one, two));
  return { click: result.current, one, two, unmount };
}

it('a click counts after the delay', () => {
  const { click, one, two } = clicks();
  click('a');
  vi.advanceTimersByTime(CLICK_DELAY - 1);
  expect(one).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(one).toHaveBeenCalledWith('a');
  expect(two).not.toHaveBeenCalled();
});

it('two clicks in time are a double click and nothing else', () => {
  const { click, one, two } = clicks();
  click('a');
  vi.advanceTimersByTime(CLICK_DELAY - 1);
  click('a');
  vi.advanceTimersByTime(CLICK_DELAY * 2);
  expect(two).toHaveBeenCalledTimes(1);
  expect(one).not.toHaveBeenCalled();
});

it('quick clicks on two things are a click on each', () => {
  const { click, one, two } = clicks();
  click('a');
  click('b');
  expect(one.mock.calls).toEqual([['a']]);
  vi.advanceTimersByTime(CLICK_DELAY);
  expect(one.mock.calls).toEqual([['a'], ['b']]);
  expect(two).not.toHaveBeenCalled();
});

it('nothing happens to a diagram that is gone', () => {
  const { click, one, unmount } = clicks();
  click('a');
  unmount();
  vi.advanceTimersByTime(CLICK_DELAY);
  expect(one).not.toHaveBeenCalled();
});
