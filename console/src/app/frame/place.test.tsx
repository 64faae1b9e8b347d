import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { MenuNode } from '@/shared/api';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { renderInFrame } from '@/testing/render';
import { useTabStore } from '../tab-store';
import { Breadcrumbs } from './breadcrumbs';
import { SideMenu } from './side-menu';

const page = (menuKey: string, titleEn: string): MenuNode => ({
  menuKey,
  kind: 'page',
  titleEn,
  titleZh: titleEn,
  operations: ['view'],
  children: [],
});
const group = (menuKey: string, titleEn: string, ...children: MenuNode[]): MenuNode => ({
  ...page(menuKey, titleEn),
  kind: 'group',
  children,
});
const granted = vi.hoisted(() => [] as MenuNode[]);
granted.push(
  page('home', 'Home'),
  group('resource', 'Resource tools', page('resource/article', 'Help articles')),
  group('authority-management', 'Authority', page('authority-management/role-management', 'Roles')),
);

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  menuGrantedTree: async () => ({
    data: { code: 200, message: '', data: granted },
    response: new Response(),
  }),
}));
vi.mock('../session', () => ({ useSignedInUser: () => undefined, useDeployment: () => ({}) }));

/** An entry's picture has a name of its own before the entry's. */
const entry = (name: string) => screen.getByRole('menuitem', { name: new RegExp(`${name}$`) });
const isOpen = (name: string) => entry(name).getAttribute('aria-expanded');

it('one submenu is open at a time, at first that of the page in front', async () => {
  await renderInFrame(<SideMenu collapsed={false} />, { path: '/resource/article' });
  await waitFor(() => expect(isOpen('Resource tools')).toBe('true'));
  await userEvent.click(entry('Authority'));
  await waitFor(() => expect(isOpen('Authority')).toBe('true'));
  expect(isOpen('Resource tools')).toBe('false');
  await waitFor(() => expect(local.get(storeKeys.menuLast)).toBe('resource/article'));
});

it('a page that is part of no entry marks none', async () => {
  local.set(storeKeys.menuLast, 'home');
  const { container } = await renderInFrame(<SideMenu collapsed={false} />, { path: '/demo' });
  await waitFor(() => expect(entry('Home')).toBeVisible());
  expect(container.querySelector('[class*=item-selected]')).toBeNull();
});

it('breadcrumbs lead from the home page to the place, and are saved', async () => {
  await renderInFrame(<Breadcrumbs />, { path: '/sync-link-config/7' });
  expect(await screen.findByRole('link', { name: 'Sync links' })).toHaveAttribute('href', '/sync-link');
  const saved = [
    { path: '/sync-link', title: 'Sync links' },
    { path: '/sync-link-config/:id', title: 'Sync link' },
  ];
  await waitFor(() => expect(local.get(storeKeys.breadcrumbs)).toEqual(saved));
});

it.each([
  [1, 'busy'],
  [2, 'good'],
  [0, 'bad'],
  [4, 'bad'],
  [7, 'bad'],
  [5, 'warning'],
  [6, 'warning'],
  [3, 'busy'],
])('the tag of the page in front has the colour of its type %i', async (type, look) => {
  const tag = { type, text: 'as it stands' };
  const key = '/sync-link-config/7';
  useTabStore.setState({ tabs: [{ key, pathname: key, search: '', affix: false, tag }] });
  await renderInFrame(<Breadcrumbs />, { path: key });
  expect(await screen.findByText('as it stands')).toHaveAttribute('data-look', look);
});
