import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import type { MetricChart, SeriesRecord } from '@/shared/api';
import { loadMessages } from '@/testing/messages';
import { renderInFrame } from '@/testing/render';
import { chartCsv, written } from './format';
import { MetricChartCard } from './metric-chart';
import { askedRange, isLive, usualRange } from './range';

// Drawing needs a real canvas; the browser tests cover it.
vi.mock('./plot', () => ({ default: () => null }));

const chart: MetricChart = {
  name: 'applied',
  title: 'Applied changes',
  unit: 'rows',
  series: [
    { name: 'inserts', label: 'Inserts', type: 'counter', values: [2.5, null, 0], total: 25 },
    { name: 'deletes', label: 'Deletes', type: 'counter', values: [null, null, null], total: null },
  ],
};
const record: SeriesRecord = {
  start: 0,
  end: 30_000,
  step: 10,
  times: [0, 10_000, 20_000],
  charts: [chart],
};

/** Draws the card, once its messages have come: on a page they come with it. */
async function draw(hovered: number | null) {
  const drawn = await renderInFrame(
    <Suspense>
      <MetricChartCard
        record={record}
        chart={chart}
        hovered={hovered}
        name="link"
        syncKey="page"
        onHover={() => {}}
        onZoom={() => {}}
        onReset={() => {}}
      />
    </Suspense>,
  );
  await screen.findByRole('figure', { name: 'Applied changes' });
  return drawn;
}

it('shows the value under the crosshair, else the newest one, and the growth of a counter', async () => {
  const { unmount } = await draw(0);
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Inserts2.5/s25 in all',
    'Deletes–',
  ]);
  unmount();
  await draw(null);
  expect(screen.getAllByRole('listitem')[0]).toHaveTextContent('Inserts0/s');
});

it('shows the same data as a table, the newest first, gaps as such', async () => {
  await draw(null);
  await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
  const rows = within(screen.getByRole('table', { name: 'Applied changes' })).getAllByRole('row');
  expect(rows.slice(1).map((row) => within(row).getAllByRole('cell')[1]?.textContent)).toEqual([
    '0/s',
    'Not measured',
    '2.5/s',
  ]);
});

it('a file has plain numbers, and nothing where nothing was measured', () => {
  const [head, first, second] = chartCsv(chart, record.times, 'Time').replace('\uFEFF', '').split('\r\n');
  expect(head).toBe('Time,Inserts (rows/s),Deletes (rows/s)');
  expect(first?.split(',').slice(1)).toEqual(['2.5', '']);
  expect(second?.split(',').slice(1)).toEqual(['', '']);
});

it('asks for a span up to now, or for a range of the viewer', () => {
  expect(askedRange(usualRange)).toEqual({ last: 3600 });
  expect(askedRange({ range: 'nonsense', from: 0, to: 0 })).toEqual({ last: 3600 });
  const own = { range: 'own', from: 1000, to: 61_000 };
  expect(askedRange(own)).toEqual({ from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:01:01.000Z' });
  expect(isLive(own)).toBe(false);
  // Ends in the wrong order: a hand-written address.
  expect(isLive({ range: 'own', from: 5, to: 5 })).toBe(true);
});

it('writes values in their unit', async () => {
  await loadMessages('en');
  expect(written('bytes', true)(2048)).toBe('2.0 KiB/s');
  expect(written('ms', false)(1500)).toBe('1.5 s');
  expect(written('percent', false)(12.34)).toBe('12.3%');
  expect(written('count', false)(3)).toBe('3');
});
