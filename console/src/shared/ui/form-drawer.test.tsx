import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Form, Input } from 'antd';
import { expect, it, vi } from 'vitest';
import { ApiError } from '@/shared/api/errors';
import { renderInFrame } from '@/testing/render';
import { FormDrawer } from './form-drawer';

async function renderDrawer(onSubmit: (values: { name: string }) => Promise<unknown>, readOnly = false) {
  const onClose = vi.fn();
  await renderInFrame(
    <FormDrawer<{ name: string }> title="City" open onSubmit={onSubmit} onClose={onClose} readOnly={readOnly}>
      <Form.Item name="name" label="Name" rules={[{ required: true, message: 'A city has a name' }]}>
        <Input />
      </Form.Item>
    </FormDrawer>,
  );
  return onClose;
}

it('shows the fault under its field and does not send', async () => {
  const onSubmit = vi.fn();
  await renderDrawer(onSubmit);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('A city has a name')).toBeInTheDocument();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('sends and closes', async () => {
  const onSubmit = vi.fn().mockResolvedValue(undefined);
  const onClose = await renderDrawer(onSubmit);
  await userEvent.type(screen.getByLabelText('Name'), 'Oslo');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(onSubmit).toHaveBeenCalledWith({ name: 'Oslo' });
});

it('stays open, to be sent again, where what was sent was declined', async () => {
  const onSubmit = vi.fn().mockResolvedValue(false);
  const onClose = await renderDrawer(onSubmit);
  await userEvent.type(screen.getByLabelText('Name'), 'Oslo');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2));
  expect(onClose).not.toHaveBeenCalled();
});

it('puts the fault that the server found under its field, and stays open', async () => {
  const onSubmit = vi
    .fn()
    .mockRejectedValue(new ApiError(422, 'no', { name: 'There is a city of this name' }));
  const onClose = await renderDrawer(onSubmit);
  await userEvent.type(screen.getByLabelText('Name'), 'Oslo');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('There is a city of this name')).toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
});

it('puts the fault of a list below the list, until it is sent again', async () => {
  const onSubmit = vi
    .fn()
    .mockRejectedValueOnce(new ApiError(422, 'no', { streets: 'The streets do not meet' }))
    .mockRejectedValueOnce(new ApiError(422, 'no', { name: 'There is a city of this name' }));
  await renderInFrame(
    <FormDrawer title="City" open onSubmit={onSubmit} onClose={vi.fn()}>
      <Form.Item name="name">
        <Input />
      </Form.Item>
      <Form.List name="streets">{(_, __, { errors }) => <Form.ErrorList errors={errors} />}</Form.List>
    </FormDrawer>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The streets do not meet')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('There is a city of this name')).toBeInTheDocument();
  await vi.waitFor(() => expect(screen.queryByText('The streets do not meet')).toBeNull());
});

it('asks before it drops what was filled in', async () => {
  const onClose = await renderDrawer(vi.fn());
  await userEvent.type(screen.getByLabelText('Name'), 'O');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalled();
});

it('a read-only form cannot be changed', async () => {
  await renderDrawer(vi.fn(), true);
  expect(screen.getByLabelText('Name')).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('takes 40 percent of the window unless the form says otherwise', async () => {
  await renderDrawer(vi.fn());
  expect(document.querySelector('.ant-drawer-content-wrapper')).toHaveStyle({ width: '40%' });
});
