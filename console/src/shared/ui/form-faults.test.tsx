import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Button, Form, Input } from 'antd';
import { beforeEach, expect, it } from 'vitest';
import { ApiError } from '@/shared/api/errors';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { showFaults } from './form-faults';

function Probe({ error }: { error: ApiError }) {
  const [form] = Form.useForm();
  const show = () => showFaults(form, error, (reason) => `Update failed: ${reason}`);
  return (
    <Form form={form}>
      <Form.Item name="name" label="Name">
        <Input />
      </Form.Item>
      <Button onClick={show}>Show</Button>
    </Form>
  );
}

async function show(error: ApiError) {
  await renderInFrame(<Probe error={error} />);
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  return useNotices.getState().waiting.map(({ text }) => text);
}

beforeEach(() => useNotices.setState({ waiting: [] }));

it('puts a fault under its field, and shows it nowhere else', async () => {
  expect(await show(new ApiError(422, 'no', { name: 'Too long' }))).toEqual([]);
  expect(await screen.findByText('Too long')).toBeInTheDocument();
});

it.each([
  new ApiError(300, 'the source is away'),
  new ApiError(422, 'the source is away', { 'connection.host': 'Cannot be empty' }),
])('shows in words what no field can show', async (error) => {
  expect(await show(error)).toEqual(['Update failed: the source is away']);
});
