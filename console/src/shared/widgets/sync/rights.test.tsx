import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TaskTableRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { LinkActions } from './link-actions';
import { NewLinkButton } from './new-link-button';
import { TableList } from './table-list';

const granted = vi.hoisted(() => ({ operations: [] as string[] }));

const table = {
  id: 't1',
  source: 'public.orders',
  target: 'copy.orders',
  state: 'suspended',
  actions: ['reload', 'resume', 'reset'],
  reason: null,
} as unknown as TaskTableRecord;

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  return {
    ...(await original<object>()),
    menuGrantedTree: async () =>
      answer([{ menuKey: 'sync-link', operations: granted.operations, children: [] }]),
    syncTaskPageTables: async () => answer({ records: [table], total: 1 }),
  };
});

const link = {
  id: 'l1',
  name: 'shop',
  state: 'incremental-running',
  actions: ['pause', 'stop', 'delete'],
  tables: { total: 1 },
  target: { place: { product: 'MySQL', title: 'd', address: 'h:3306' } },
};

beforeEach(() => {
  granted.operations = ['view', 'operate', 'edit', 'delete'];
});

const drawn = () => screen.findByTitle('public.orders');
const buttons = () => screen.queryAllByRole('button').map((button) => button.textContent);

it('tables are steered by those who may operate', async () => {
  await renderInFrame(<TableList taskId="k1" linkId="l1" />);
  await drawn();
  expect(await screen.findByRole('button', { name: 'Start full public.orders' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Suspend' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'New tables…' })).toBeInTheDocument();
  expect(screen.getAllByRole('checkbox').length).toBeGreaterThan(0);
});

it('who only looks is offered nothing to do with tables', async () => {
  granted.operations = ['view'];
  await renderInFrame(<TableList taskId="k1" linkId="l1" />);
  await drawn();
  for (const name of [/^Start full/, /^Resume/, /^Suspend/, /More/, /New tables/])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('links are steered and deleted by those who may', async () => {
  await renderInFrame(<LinkActions link={link} />);
  await screen.findByRole('button', { name: /Pause/ });
  expect(buttons()).toEqual(['Pause', 'Stop', '']);
});

it('who may delete only is offered that alone', async () => {
  granted.operations = ['view', 'delete'];
  await renderInFrame(<LinkActions link={link} />);
  await screen.findByRole('button', { name: /Delete/ });
  expect(buttons()).toEqual(['Delete']);
});

it('a new link is offered to those who may make one', async () => {
  granted.operations = ['view', 'create'];
  await renderInFrame(<NewLinkButton label="New link" />);
  expect(await screen.findByRole('button', { name: 'New link' })).toBeInTheDocument();
});
