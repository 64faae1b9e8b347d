import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { MenuGate } from './menu-gate';

const menu = vi.hoisted(() => vi.fn());

vi.mock('@/shared/api', async (original) => ({ ...(await original<object>()), menuGrantedTree: menu }));

const response = new Response();
const granted = (...kinds: string[]) => ({
  data: { code: 200, message: '', data: kinds.map((kind) => ({ menuKey: kind, kind, children: [] })) },
  response,
});

beforeEach(() => menu.mockReset());

it('a menu that cannot be loaded is reported in the words of the server, and requested again on demand', async () => {
  menu.mockResolvedValueOnce({ error: { code: 300, message: 'The store is away' }, response });
  menu.mockResolvedValue(granted('page'));
  await renderInFrame(<MenuGate>the pages</MenuGate>);
  expect(await screen.findByText('The store is away')).toBeVisible();
  expect(screen.queryByText('the pages')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('the pages')).toBeVisible();
});

it('a user without any page is asked to contact the administrator', async () => {
  menu.mockResolvedValue(granted('permission', 'group'));
  await renderInFrame(<MenuGate>the pages</MenuGate>);
  expect(await screen.findByText(/administrator/)).toBeVisible();
  expect(screen.queryByText('the pages')).not.toBeInTheDocument();
});
