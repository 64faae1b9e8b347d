import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
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

it('rows stay chosen over pages, and are as they were last seen', () => {
  const { result, rerender } = renderHook(({ shown }) => useChosenRows(shown, keyOf), {
    initialProps: { shown: first as readonly Table[] | undefined },
  });
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
