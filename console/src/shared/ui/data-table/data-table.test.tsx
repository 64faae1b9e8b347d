import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { expect, it, vi } from 'vitest';
import { ApiError } from '@/shared/api/errors';
import { renderInFrame } from '@/testing/render';
import { type Column, DataTable, type PageQuery, useTableState } from '.';

interface City {
  id: string;
  name: string;
  people: number;
}

const columns: Column<City>[] = [
  { key: 'name', title: 'City', sortable: true, essential: true, render: (city) => city.name },
  { key: 'people', title: 'People', align: 'right', render: (city) => city.people },
];

const cities: City[] = [
  { id: '1', name: 'Beijing', people: 21_000_000 },
  { id: '2', name: 'Oslo', people: 700_000 },
];

const loaded: PageQuery<City> = {
  data: { records: cities, total: 45 },
  error: null,
  isFetching: false,
  refetch: vi.fn(),
};

function Cities({ query = loaded }: { query?: PageQuery<City> }) {
  const state = useTableState();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const { search } = useLocation();
  return (
    <>
      <DataTable
        label="Cities"
        name="cities"
        columns={columns}
        query={query}
        state={state}
        rowKey={(city) => city.id}
        empty={{ title: 'No city yet', action: <button type="button">Add a city</button> }}
        selection={{ keys, onChange: setKeys }}
      />
      <output>{search}</output>
      <output data-testid="chosen">{[...keys].join()}</output>
    </>
  );
}

it('sorts descending, ascending, not at all, and says so in the address', async () => {
  await renderInFrame(<Cities />, { path: '/cities?current=2' });
  const head = screen.getByRole('columnheader', { name: /City/ });
  const address = screen.getByText('?current=2');
  await userEvent.click(within(head).getByRole('button'));
  expect(address).toHaveTextContent('?sort=name&order=desc');
  expect(head).toHaveAttribute('aria-sort', 'descending');
  await userEvent.click(within(head).getByRole('button'));
  expect(head).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.click(within(head).getByRole('button'));
  expect(head).not.toHaveAttribute('aria-sort');
  expect(address).toHaveTextContent('');
});

it('pages on the server', async () => {
  await renderInFrame(<Cities />, { path: '/cities' });
  await userEvent.click(screen.getByTitle('2'));
  expect(screen.getByText('?current=2')).toBeInTheDocument();
  expect(screen.getByText('45 in total')).toBeInTheDocument();
});

it('selects single rows and all of the page', async () => {
  await renderInFrame(<Cities />);
  const boxes = screen.getAllByRole('checkbox', { name: 'Select this row' });
  await userEvent.click(boxes[1] as HTMLElement);
  expect(screen.getByTestId('chosen')).toHaveTextContent('2');
  await userEvent.click(screen.getByRole('checkbox', { name: /Select all/ }));
  expect(screen.getByTestId('chosen')).toHaveTextContent('2,1');
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.getByTestId('chosen')).toHaveTextContent('');
});

it('says what to do when it is empty', async () => {
  await renderInFrame(<Cities query={{ ...loaded, data: { records: [], total: 0 } }} />);
  expect(screen.getByText('No city yet')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Add a city' })).toBeInTheDocument();
});

it('shows the failure with a way to try again; figures that are there stay', async () => {
  const refetch = vi.fn();
  const error = new ApiError('unreachable', 'The server is gone');
  await renderInFrame(<Cities query={{ data: undefined, error, isFetching: false, refetch }} />);
  expect(screen.getByRole('alert')).toHaveTextContent('The server is gone');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch).toHaveBeenCalled();
});

it('keeps what it has when a later look fails', async () => {
  await renderInFrame(<Cities query={{ ...loaded, error: new Error('gone') }} />);
  expect(screen.getByText('Oslo')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('draws only the rows in sight', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    id: `${index}`,
    name: `City ${index}`,
    people: 1,
  }));
  await renderInFrame(<Cities query={{ ...loaded, data: { records: many, total: 1000 } }} />);
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '1001');
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
});

it('remembers hidden columns', async () => {
  const { unmount } = await renderInFrame(<Cities />);
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'People' }));
  expect(screen.queryByRole('columnheader', { name: 'People' })).not.toBeInTheDocument();
  unmount();
  await renderInFrame(<Cities />);
  expect(screen.queryByRole('columnheader', { name: 'People' })).not.toBeInTheDocument();
});
