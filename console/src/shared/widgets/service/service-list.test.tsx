import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ManagedService } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { useColumns } from './use-columns';
import { useServiceActions } from './use-service-actions';

vi.mock('@/shared/hooks/use-may', () => ({ useMay: () => () => true }));

const none = () => [];

function Titles() {
  return <output>{useColumns(none).map(({ title }) => `${title};`)}</output>;
}

it('services have the specified columns', async () => {
  await renderInFrame(<Titles />);
  const titles = (await screen.findByText(/Service;/)).textContent?.split(';');
  const specified = [
    ...['Service', 'Container', 'Service ID', 'Runs on', 'Heartbeats'],
    ...['Time and status', 'Process status', 'Running status'],
    ...['Machine code', 'Serial number', 'Type', 'Remark'],
  ];
  expect(titles).toEqual(expect.arrayContaining(specified));
});

const service = { actions: ['start'], state: 'stopped', linkId: 'l1' } as unknown as ManagedService;
const ignore = () => undefined;

function Actions() {
  const actions = useServiceActions(ignore, ignore)(service);
  return <output>{actions.map(({ label, refused }) => `${label}: ${refused ?? 'offered'};`)}</output>;
}

it('services have the specified actions; one that the state does not allow says why', async () => {
  await renderInFrame(<Actions />);
  const actions = (await screen.findByText(/Start/)).textContent;
  for (const name of ['Start', 'Go to']) expect(actions).toContain(`${name}: offered;`);
  for (const name of ['Stop', 'Edit', 'Restart', 'Forced shutdown', 'Delete'])
    expect(actions).toContain(`${name}: Stopped: ${name} is not possible now;`);
});
