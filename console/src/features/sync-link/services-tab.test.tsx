import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ServiceRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { ServicesTab } from './services-tab';

it('a service has the state that all pages show, whatever its process is', async () => {
  const service = {
    id: 's1',
    serviceName: 'shop',
    type: 'publish',
    desired: 'stopped',
    observed: 'started',
    state: 'stopping',
    attempts: [],
  } as unknown as ServiceRecord;
  await renderInFrame(<ServicesTab services={[service]} />);
  expect(await screen.findByText('Stopping')).toBeInTheDocument();
  expect(screen.queryByText('Started', { selector: '.state-tag' })).toBeNull();
});
