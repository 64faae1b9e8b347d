import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TaskTableRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import ReasonDialog from './reason-dialog';

const granted = vi.hoisted(() => ({ menus: [] as string[] }));

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  menuGrantedTree: async () => ({
    data: {
      code: 200,
      message: '',
      data: granted.menus.map((menuKey) => ({ menuKey, operations: ['view'], children: [] })),
    },
    response: new Response(),
  }),
}));

const table = {
  id: 't1',
  source: 'public.orders',
  state: 'suspended',
  since: '2026-11-28T20:00:00Z',
  actions: [],
  reason: { code: 'rows-refused', text: 'a row was refused' },
} as unknown as TaskTableRecord;

beforeEach(() => {
  granted.menus = ['monitor/log-search'];
});

it('leads to the logs around the moment since which a table stands', async () => {
  await renderInFrame(<ReasonDialog table={table} link="l1" act={undefined} onClose={() => {}} />);
  const found = await screen.findByRole('link', { name: 'Log around: public.orders' });
  expect(found.getAttribute('href')).toContain('link=l1');
});

it('leads nowhere without the right to read logs', async () => {
  granted.menus = [];
  await renderInFrame(<ReasonDialog table={table} link="l1" act={undefined} onClose={() => {}} />);
  await screen.findByText('a row was refused');
  expect(screen.queryByRole('link')).toBeNull();
});
