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
  attempts: 1,
  detail: 'refused',
  statement: 'insert',
  position: '',
  blocking: false,
  note: null,
};

vi.mock('./queries', async (original) => ({
  ...(await original<object>()),
  useRowError: () => ({ data: found, error: null }),
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
