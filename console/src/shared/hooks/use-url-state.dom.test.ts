import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { expect, it } from 'vitest';
import { PageContext } from '@/shared/pages/page-context';
import { InRouter } from '@/testing/render';
import { useUrlState } from './use-url-state';

const defaults = { text: '', current: 1 };

function render(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(InRouter, { path: address, children });
  return renderHook(
    () => ({
      list: useUrlState(defaults),
      log: useUrlState(defaults, 'log-'),
      navigate: useNavigate(),
      ...useLocation(),
    }),
    { wrapper },
  );
}

it('of two changes before the first is drawn none is lost, nor one of another list of the page', () => {
  const { result } = render('/list?other=1');
  act(() => {
    const { list, log } = result.current;
    list[1]({ text: 'a' });
    log[1]({ current: 2 });
    list[1]({ current: 3 });
  });
  expect(result.current.search).toBe('?other=1&text=a&log-current=2&current=3');
  expect(result.current.list[0]).toEqual({ text: 'a', current: 3 });
  expect(result.current.log[0]).toEqual({ text: '', current: 2 });
});

it('a change begins at what a link or the back button has led to', async () => {
  const { result } = render('/list?text=a');
  act(() => {
    result.current.list[1]({ current: 2 });
    result.current.navigate('/list?text=b');
    result.current.log[1]({ current: 5 });
  });
  expect(result.current.search).toBe('?text=b&log-current=5');
  await act(async () => result.current.navigate(-1));
  expect(result.current.search).toBe('?text=a&current=2');
  act(() => result.current.list[1]({ text: 'c' }));
  expect(result.current.search).toBe('?text=c&current=2');
});

it('a late change does not lead back to the page that was left', () => {
  const { result } = render('/list');
  act(() => {
    result.current.navigate('/elsewhere?text=z');
    result.current.list[1]({ text: 'late' });
  });
  expect(result.current.pathname + result.current.search).toBe('/elsewhere?text=z');
});

it('a change in a tab at the back waits for it, though a tab of the same path is in front', () => {
  let isActive = false;
  const nothing = () => {};
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(
      PageContext,
      { value: { isActive, setTitle: nothing, setTag: nothing } },
      createElement(InRouter, { path: '/list?text=front', children }),
    );
  const { result, rerender } = renderHook(() => ({ list: useUrlState(defaults), ...useLocation() }), {
    wrapper,
  });
  act(() => result.current.list[1]({ current: 2 }));
  expect(result.current.search).toBe('?text=front');
  isActive = true;
  rerender();
  expect(result.current.search).toBe('?text=front&current=2');
});
