import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Overview } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { FiguresCard } from './figures-card';

const overview = (services: Overview['services']) =>
  ({ links: [], tables: [], services, rowsPerSecond: 0, lagMs: null, staleLinks: 0 }) as unknown as Overview;

it('services are counted by the state that all pages show, whatever their process is', async () => {
  await renderInFrame(
    <FiguresCard
      overview={overview([
        { state: 'stopping', observed: 'started', services: 2, heldUp: 0 },
        { state: 'stopping', observed: 'stopping', services: 1, heldUp: 0 },
        { state: 'normal', observed: 'started', services: 3, heldUp: 2 },
        { state: 'started', observed: 'started', services: 1, heldUp: 1 },
      ])}
    />,
  );
  const tallies = [...((await screen.findByText('Stopping')).closest('.home-tallies')?.children ?? [])];
  expect(tallies.map(({ textContent }) => textContent)).toEqual([
    'Stopping 3',
    'Status normal 1',
    'Started, held up 3',
  ]);
});
