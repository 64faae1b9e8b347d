import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { NodeRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { NodeActions } from './node-actions';

const granted = vi.hoisted(() => ({ operations: [] as string[] }));

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  menuGrantedTree: async () => ({
    data: {
      code: 200,
      message: '',
      data: [{ menuKey: 'publish', operations: granted.operations, children: [] }],
    },
    response: new Response(),
  }),
}));

const node = {
  id: 'n1',
  name: 'shop',
  linkId: null,
  subscribers: 2,
  source: { kind: 'postgresql' },
  tables: { total: 3 },
  actions: ['stop', 'edit'],
} as unknown as NodeRecord;

beforeEach(() => {
  granted.operations = ['view', 'edit', 'operate', 'delete'];
});

it('says why a node cannot be deleted, in reach of the keyboard', async () => {
  await renderInFrame(<NodeActions node={node} />);
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for shop' }));
  const entry = await screen.findByRole('menuitem', { name: 'Delete' });
  expect(entry).toHaveAttribute('aria-disabled', 'true');
  expect(entry).toHaveAttribute('tabindex', '-1');
  expect(entry).toHaveAttribute('aria-description', 'It has 2 subscribers: remove those subscriptions first');
});

it('offers to delete a node without subscribers', async () => {
  await renderInFrame(
    <NodeActions node={{ ...node, subscribers: 0, actions: ['stop', 'edit', 'delete'] }} />,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for shop' }));
  expect(await screen.findByRole('menuitem', { name: 'Delete' })).not.toHaveAttribute('aria-disabled');
});

it('offers only what the viewer may do', async () => {
  granted.operations = ['view', 'edit'];
  await renderInFrame(<NodeActions node={node} />);
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeInTheDocument();
  expect(screen.getAllByRole('button')).toHaveLength(1);
});
