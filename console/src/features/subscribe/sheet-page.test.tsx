import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SheetRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import SheetPage from './sheet-page';

const granted = vi.hoisted(() => ({ operations: [] as string[] }));

const table = {
  id: 't1',
  source: 'public.orders',
  target: 'copy.orders',
  state: 'suspended',
  actions: ['reload', 'resume'],
  reason: null,
  linkId: null,
  comparison: null,
  policyNames: [],
  applyByKey: [],
  columns: [],
} as unknown as SheetRecord;

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  return {
    ...(await original<object>()),
    menuGrantedTree: async () =>
      answer([{ menuKey: 'subscribe', operations: granted.operations, children: [] }]),
    subscribePageSheet: async () => answer({ records: [table], total: 1 }),
  };
});

const RELOAD = { name: 'Start full public.orders' };

it('tables are steered by those who may operate', async () => {
  granted.operations = ['view', 'operate'];
  await renderInFrame(<SheetPage />);
  expect(await screen.findByRole('button', RELOAD)).toBeInTheDocument();
  // Of one table and of many it is called the same.
  expect(screen.getByRole('button', { name: 'Start full' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Suspend' })).toBeInTheDocument();
});

it('who only looks is offered nothing to do with them, and still sees each', async () => {
  granted.operations = ['view'];
  await renderInFrame(<SheetPage />);
  expect(await screen.findByRole('button', { name: 'public.orders' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Never compared' })).toBeInTheDocument();
  expect(screen.queryByRole('button', RELOAD)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Suspend' })).toBeNull();
});
