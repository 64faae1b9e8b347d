import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ApiError } from '@/shared/api/errors';
import { renderInFrame } from '@/testing/render';
import { WaitingDrawer } from './waiting-drawer';

it('shows nothing at first, then that it waits', async () => {
  await renderInFrame(
    <WaitingDrawer title="City" queries={[{ error: null, refetch: vi.fn() }]} onClose={vi.fn()} />,
  );
  expect(screen.queryByRole('dialog')).toBeNull();
  const drawer = await screen.findByRole('dialog', { name: 'City' });
  expect(within(drawer).getByRole('status')).toBeInTheDocument();
});

it('says at once why it does not come, and asks again for what failed', async () => {
  const [known, failed] = [vi.fn(), vi.fn()];
  await renderInFrame(
    <WaitingDrawer
      title="City"
      queries={[
        { error: null, refetch: known },
        { error: new ApiError(500, 'The map is lost', {}), refetch: failed },
      ]}
      onClose={vi.fn()}
    />,
  );
  expect(screen.getByRole('dialog', { name: 'City' })).toHaveTextContent('The map is lost');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(failed).toHaveBeenCalledOnce();
  expect(known).not.toHaveBeenCalled();
});
