import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import ChangePasswordDialog from './change-password-dialog';

const change = vi.hoisted(() => vi.fn());
vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  accountChangePassword: change,
  sessionGetMethods: async () => ({
    data: { code: 200, message: '', data: { longestPassword: 16 } },
    response: new Response(),
  }),
}));

it('the form of the own password names each fault, and checks the confirmation again', async () => {
  await renderInFrame(<ChangePasswordDialog onClose={() => undefined} />);
  await userEvent.click(await screen.findByRole('button', { name: 'OK' }));
  expect(await screen.findByText('Enter the current password')).toBeInTheDocument();
  expect(screen.getByText('Enter the new password')).toBeInTheDocument();
  expect(screen.getByText('Enter the new password again')).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('Confirm new password'), 'Another5678');
  expect(await screen.findByText('The passwords entered twice are inconsistent')).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('New password'), 'Another5678');
  await vi.waitFor(() =>
    expect(screen.queryByText('The passwords entered twice are inconsistent')).not.toBeInTheDocument(),
  );
  expect(change).not.toHaveBeenCalled();
});
