import { beforeEach, expect, it, vi } from 'vitest';
import { keepToken } from '@/shared/api/token';

const shipped = { action: { save: 'Save', cancel: 'Cancel' }, title: 'Title' };
const answered = (texts: object) => new Response(JSON.stringify({ code: 200, data: { texts } }));

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

const load = () => import('./custom-texts');

it('puts custom texts in the place of shipped ones and adds none', async () => {
  const { withCustom } = await load();
  const custom = {
    'action.save': 'Keep',
    title: 'Head',
    'action.new': 'New',
    'title.x': 'x',
    action: 'no tree',
  };
  expect(withCustom(shipped, custom)).toEqual({ action: { save: 'Keep', cancel: 'Cancel' }, title: 'Head' });
  expect(shipped.action.save).toBe('Save');
  expect(withCustom(shipped)).toBe(shipped);
  expect(withCustom({}, { '__proto__.x': 'y' })).toEqual({});
});

it('asks once for each session, and for the public texts before and after it', async () => {
  const fetched = vi.fn(async (path: string) =>
    path.endsWith('/custom') ? new Response('{}', { status: 401 }) : answered({ common: { title: 'Head' } }),
  );
  vi.stubGlobal('fetch', fetched);
  const { customText, customTexts } = await load();
  await Promise.all([customTexts(), customTexts()]);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(customText('common', 'title')).toBe('Head');
  expect(customText('common', 'other')).toBeUndefined();
  keepToken('over');
  expect(await customTexts()).toEqual({ common: { title: 'Head' } });
  expect(fetched.mock.calls.map(([path]) => path.split('/').pop())).toEqual(['sign-in', 'custom', 'sign-in']);
});

it('has the shipped texts where the server does not answer', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  const { customTexts } = await load();
  expect(await customTexts()).toEqual({});
});
