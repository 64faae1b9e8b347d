import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { ContainerSelect, type CustomerChoice, CustomerSelect, NodeSelect } from '.';

const asked = vi.hoisted(() => ({ customers: vi.fn(), channels: vi.fn(), strategies: vi.fn() }));

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => async () => ({
    data: { code: 200, message: '', data },
    response: new Response(),
  });
  const container = { id: 'c1', containerName: 'default', displayName: 'Main', status: 1 };
  return {
    ...(await original<object>()),
    selectionListMembers: answer([{ id: 'n1', name: 'shop source' }]),
    clusterPage: answer({ records: [container], total: 1 }),
    selectionListCustomers: asked.customers.mockImplementation(
      answer([{ customerid: 'k1', name: 'warehouse' }]),
    ),
    selectionPageStrategies: asked.strategies.mockImplementation(
      answer({ records: [{ id: 's1', productName: 'retail' }], total: 1 }),
    ),
    selectionListChannels: asked.channels.mockImplementation(answer([{ id: 'l1', name: 'lane 1' }])),
  };
});

function Both() {
  const [choice, setChoice] = useState<CustomerChoice>({});
  return (
    <>
      <CustomerSelect clientType="client" value={choice} onChange={setChoice} withStrategy withChannel />
      <output>{JSON.stringify(choice)}</output>
    </>
  );
}

it('offers nodes and containers', async () => {
  const [node, container] = [vi.fn(), vi.fn()];
  await renderInFrame(
    <>
      <NodeSelect value={undefined} onChange={node} />
      <ContainerSelect value={undefined} onChange={container} />
    </>,
  );
  await userEvent.click(screen.getByRole('combobox', { name: 'Nodes' }));
  await userEvent.click(await screen.findByTitle('shop source'));
  expect(node).toHaveBeenCalledWith('n1');
  await userEvent.click(screen.getByRole('combobox', { name: 'Containers' }));
  await userEvent.click(await screen.findByTitle('Main'));
  expect(container).toHaveBeenCalledWith('c1');
});

it('asks for a customer’s strategies and channels once there is a customer, and forgets them with it', async () => {
  await renderInFrame(<Both />);
  expect(screen.getByRole('combobox', { name: 'Strategies' })).toBeDisabled();
  expect(screen.getByRole('combobox', { name: 'Channels' })).toBeDisabled();
  await userEvent.click(screen.getByRole('combobox', { name: 'Subscribe list' }));
  await userEvent.click(await screen.findByTitle('warehouse'));
  await userEvent.click(screen.getByRole('combobox', { name: 'Strategies' }));
  await userEvent.click(await screen.findByTitle('retail'));
  await userEvent.click(screen.getByRole('combobox', { name: 'Channels' }));
  await userEvent.click(await screen.findByTitle('lane 1'));
  expect(screen.getByText('{"customerId":"k1","strategyId":"s1","channelId":"l1"}')).toBeInTheDocument();
  expect(asked.customers.mock.lastCall?.[0].body).toEqual({ clientType: 'client' });
  expect(asked.strategies.mock.lastCall?.[0].body).toEqual({ customerId: 'k1', size: -1 });
  expect(asked.channels.mock.lastCall?.[0].body).toEqual({ customerId: 'k1' });
});

it.each([
  ['client', 'Subscribe list', '订阅列表'],
  ['databus', 'Process list', '处理列表'],
  ['stream', 'Real-time compute list', '实时计算列表'],
] as const)('customers are labelled by their type: %s', async (clientType, en, zh) => {
  const select = <CustomerSelect clientType={clientType} value={{}} onChange={() => undefined} />;
  const english = await renderInFrame(select);
  expect(screen.getByRole('combobox', { name: en })).toBeInTheDocument();
  expect(screen.getAllByRole('combobox')).toHaveLength(1);
  english.unmount();
  await renderInFrame(select, { locale: 'zh' });
  expect(screen.getByRole('combobox', { name: zh })).toBeInTheDocument();
});
