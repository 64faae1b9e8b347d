import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { InRouter } from '@/testing/render';
import { useChosenRows } from './chosen-rows';

interface Table {
  id: string;
  state: string;
}

const keyOf = ({ id }: Table) => id;
const first: Table[] = [
  { id: 'a', state: 'running' },
  { id: 'b', state: 'running' },
];
const second: Table[] = [{ id: 'c', state: 'running' }];

function render(address: string, keptAs?: string) {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(InRouter, { path: address, children });
  return renderHook(
    ({ shown }) => ({ ...useChosenRows(shown, keyOf, keptAs), address: useLocation().search }),
    { wrapper, initialProps: { shown: first as readonly Table[] | undefined } },
  );
}

it('rows stay chosen over pages, and are as they were last seen', () => {
  const { result, rerender } = render('/');
  act(() => result.current.choose(new Set(['a'])));
  rerender({ shown: undefined });
  expect(result.current.rows).toEqual([first[0]]);
  rerender({ shown: second });
  act(() => result.current.choose(new Set(['a', 'c'])));
  expect([...result.current.keys]).toEqual(['a', 'c']);
  expect(result.current.rows).toEqual([first[0], second[0]]);

  const reloaded = [{ id: 'a', state: 'failed' }, ...first.slice(1)];
  rerender({ shown: reloaded });
  expect(result.current.rows).toEqual([{ id: 'a', state: 'failed' }, second[0]]);

  act(() => result.current.choose(new Set(['c'])));
  expect(result.current.rows).toEqual(second);
  act(() => result.current.add(first));
  expect([...result.current.keys]).toEqual(['c', 'a', 'b']);
  act(() => result.current.clear());
  expect(result.current.keys.size).toBe(0);
});

it('the whole list is chosen with the rows that are on no page in sight', () => {
  const { result } = render('/');
  act(() => result.current.choose(new Set(['a', 'b', 'c']), [...first, ...second]));
  expect(result.current.rows).toEqual([...first, ...second]);
});

it('a choice stands in the address, and is taken up from there page by page', () => {
  const { result, rerender } = render('/?chosen=b,c', '');
  expect([...result.current.keys]).toEqual(['b']);
  act(() => result.current.choose(new Set(['a', 'b'])));
  expect(new URLSearchParams(result.current.address).get('chosen')).toBe('b,a,c');
  rerender({ shown: second });
  expect([...result.current.keys].sort()).toEqual(['a', 'b', 'c']);
  act(() => result.current.clear());
  expect(result.current.address).toBe('');
});

it('a choice that is too long for an address is not kept there, nor one of a list that keeps none', () => {
  const many = Array.from({ length: 51 }, (_, index) => ({ id: `${index}`, state: 'running' }));
  const keys = new Set(many.map(keyOf));
  const long = render('/', '');
  act(() => long.result.current.choose(keys, many));
  expect(long.result.current.keys.size).toBe(51);
  expect(long.result.current.address).toBe('');
  const unkept = render('/');
  act(() => unkept.result.current.choose(new Set(['a'])));
  expect(unkept.result.current.address).toBe('');
});
