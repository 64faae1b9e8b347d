import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { Chart } from '.';
import { chartOptions } from './options';
import { palette } from './palette';
import type { ChartProps } from './props';

const props: ChartProps = {
  title: 'Rows',
  kind: 'bar',
  labels: ['a', 'b'],
  series: [
    { name: 'inserted', values: [1, null] },
    { name: 'deleted', values: [3, 4], colour: '#123456' },
  ],
  format: (value) => `${value} rows`,
};

it('begins amounts at zero, and gives each thing its colour', () => {
  const options = chartOptions(props) as {
    yAxis: { min: number };
    series: { color: string; data: unknown[] }[];
  };
  expect(options.yAxis.min).toBe(0);
  expect(options.series.map(({ color }) => color)).toEqual([palette[0], '#123456']);
  expect(options.series[0]?.data).toEqual([1, null]);
});

it('a pie shows one series in parts', () => {
  const { series } = chartOptions({ ...props, kind: 'pie' }) as {
    series: { data: { name: string; value: number }[] }[];
  };
  expect(series).toHaveLength(1);
  expect(series[0]?.data.map(({ name, value }) => [name, value])).toEqual([
    ['a', 1],
    ['b', 0],
  ]);
});

it('shows the same data as a table', async () => {
  await renderInFrame(<Chart {...props} />);
  await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
  const table = screen.getByRole('table', { name: 'Rows' });
  const rows = within(table).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['Iteminserteddeleted', 'a1 rows3 rows', 'b–4 rows']);
});

it('says that there is nothing yet', async () => {
  await renderInFrame(<Chart {...props} labels={[]} />);
  expect(screen.getByText('Nothing was measured yet')).toBeInTheDocument();
});
