import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import ErrorDrawer from './error-drawer';
import { linkErrors } from './source';

const found = {
  id: 'e1',
  target: 'copy.orders',
  operation: 'insert',
  status: 'not-processed',
  key: { id: '1' },
  before: {},
  after: { id: '1', name: 'one' },
  lacks: ['number'],
  attempts: 1,
  detail: 'refused',
  statement: 'insert',
  position: '',
  blocking: false,
  note: null,
};

const edited = vi.hoisted(() => vi.fn());
vi.mock('./queries', async (original) => ({
  ...(await original<object>()),
  useRowError: () => ({ data: found, error: null }),
  useEditRowError: () => ({ mutateAsync: edited, isPending: false }),
}));

it('gives the focus back to the button when the edits are given up', async () => {
  await renderInFrame(
    <ErrorDrawer source={linkErrors('l1')} error="e1" mayDecide onDecide={vi.fn()} onClose={vi.fn()} />,
  );
  const edit = await screen.findByRole('button', { name: 'Edit and retry' });
  expect(edit).not.toHaveFocus();
  await userEvent.click(edit);
  expect(screen.getByRole('textbox', { name: /id/ })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Edit and retry' })).toHaveFocus();
});

it('takes a value for a column whose expression had none', async () => {
  edited.mockResolvedValue(1);
  await renderInFrame(
    <ErrorDrawer source={linkErrors('l1')} error="e1" mayDecide onDecide={vi.fn()} onClose={vi.fn()} />,
  );
  expect(await screen.findByText('no value: its expression fails')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Edit and retry' }));
  const field = screen.getByRole('textbox', { name: /number/ });
  expect(field).toHaveValue('');
  await userEvent.type(field, '7');
  await userEvent.click(screen.getByRole('button', { name: 'Edit and retry' }));
  expect(edited).toHaveBeenCalledWith({ error: 'e1', after: { number: '7' } });
});
