import { beforeEach, expect, it, vi } from 'vitest';
import { keepToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { onLayoutsFetched, readLayout, saveLayout } from './layout-store';

const platform = vi.hoisted(() => ({
  isThere: true,
  /** Taken instead of the settings: an answer that is under way. */
  answer: undefined as Promise<object[]> | undefined,
  settings: [] as { name: string; value: object }[],
  saved: [] as { name: string; value: object }[],
}));

vi.mock('@/shared/api', () => ({
  call: async (answer: () => unknown) => {
    if (!platform.isThere) throw new Error('unreachable');
    return answer();
  },
  userSettingListOwn: () => () => platform.answer ?? platform.settings,
  userSettingSave:
    ({ body }: { body: { name: string; value: object } }) =>
    () => {
      platform.saved.push(body);
    },
}));

let visits = 0;

/** A viewer who was never here before, signed in. */
beforeEach(() => {
  visits += 1;
  local.set(storeKeys.user, { userId: `viewer ${visits}` });
  keepToken('token');
  Object.assign(platform, { isThere: true, answer: undefined, settings: [], saved: [] });
});

const fetched = () => new Promise<void>((done) => onLayoutsFetched(done));

it('shows what was arranged in another browser', async () => {
  platform.settings = [{ name: 'table.links', value: { order: ['b', 'a'] } }];
  expect(readLayout('links')).toEqual({});
  await fetched();
  expect(readLayout('links')).toEqual({ order: ['b', 'a'] });
});

it('saves to the platform, later if it was away; unsaved changes win over its answer', async () => {
  platform.isThere = false;
  saveLayout('links', { widths: { a: 90 } });
  expect(readLayout('links')).toEqual({ widths: { a: 90 } });
  expect(platform.saved).toEqual([]);
  platform.isThere = true;
  platform.settings = [
    { name: 'table.links', value: { order: ['b', 'a'] } },
    { name: 'table.tasks', value: { order: ['d'] } },
  ];
  await fetched();
  await vi.waitFor(() =>
    expect(platform.saved).toEqual([{ name: 'table.links', value: { widths: { a: 90 } } }]),
  );
  expect(readLayout('links')).toEqual({ widths: { a: 90 } });
  expect(readLayout('tasks')).toEqual({ order: ['d'] });
});

it('an answer that was under way while something was changed and sent does not take that back', async () => {
  let answer: (settings: object[]) => void = () => undefined;
  platform.answer = new Promise((done) => {
    answer = done;
  });
  const done = fetched();
  saveLayout('links', { widths: { a: 90 } });
  await vi.waitFor(() => expect(platform.saved).toHaveLength(1), 5000);
  answer([{ name: 'table.links', value: { widths: { a: 10 } } }]);
  await done;
  expect(readLayout('links')).toEqual({ widths: { a: 90 } });
});
