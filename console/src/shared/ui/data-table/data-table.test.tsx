import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { expect, it, vi } from 'vitest';
import { ApiError } from '@/shared/api/errors';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { renderInFrame } from '@/testing/render';
import {
  type Column,
  DataTable,
  type DataTableProps,
  genericPageSizes,
  type PageQuery,
  useTableState,
} from '.';

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

function Cities({ query = loaded, ...more }: Partial<DataTableProps<City>>) {
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
        {...more}
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

it('offers to sort by what the server says of a list', async () => {
  await renderInFrame(<Cities list={{ sortable: ['people'] }} />, { path: '/cities' });
  const sorting = (name: RegExp) =>
    within(screen.getByRole('columnheader', { name })).queryByRole('button', { name });
  expect(sorting(/People/)).toBeInTheDocument();
  expect(sorting(/City/)).not.toBeInTheDocument();
});

it('pages on the server', async () => {
  await renderInFrame(<Cities />, { path: '/cities' });
  await userEvent.click(screen.getByRole('button', { name: '2' }));
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

async function openColumns() {
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await screen.findByRole('button', { name: 'Reset columns' });
}

it('remembers each viewer’s columns: hidden, moved, wide and fixed', async () => {
  local.set(storeKeys.user, { userId: 'one' });
  const { unmount } = await renderInFrame(<Cities />);
  await openColumns();
  await userEvent.click(screen.getByRole('checkbox', { name: 'People' }));
  expect(screen.queryByRole('columnheader', { name: 'People' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('checkbox', { name: 'People' }));
  await userEvent.click(screen.getByRole('button', { name: 'Move People forward' }));
  await userEvent.type(screen.getByRole('spinbutton', { name: /Width of City/ }), '333{Enter}');
  unmount();
  const { unmount: leave } = await renderInFrame(<Cities />);
  const heads = screen.getAllByRole('columnheader').slice(1);
  expect(heads.map((head) => head.textContent)).toEqual(['People', 'City']);
  expect(document.querySelectorAll('col')[2]).toHaveStyle({ width: '333px' });
  leave();
  local.set(storeKeys.user, { userId: 'two' });
  await renderInFrame(<Cities />);
  expect(screen.getAllByRole('columnheader')[1]).toHaveTextContent('City');
});

it('goes back to the page’s own columns', async () => {
  await renderInFrame(<Cities />);
  await openColumns();
  await userEvent.click(screen.getByRole('checkbox', { name: 'People' }));
  await userEvent.click(screen.getByRole('button', { name: 'Reset columns' }));
  expect(screen.getByRole('columnheader', { name: 'People' })).toBeInTheDocument();
});

it('takes the focus into the columns’ panel, and back to the button with Escape', async () => {
  const [first, ...others] = columns as [Column<City>, ...Column<City>[]];
  await renderInFrame(<Cities columns={[{ ...first, essential: false, width: 56 }, ...others]} />);
  await openColumns();
  expect(screen.getByRole('checkbox', { name: 'City' })).toHaveFocus();
  expect(document.querySelector('.ant-input-number-out-of-range')).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Columns' })).toHaveFocus();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset columns' })).toBeNull());
});

it('moves a column by carrying its head', async () => {
  await renderInFrame(<Cities />);
  const [, city, people] = screen.getAllByRole('columnheader') as [HTMLElement, HTMLElement, HTMLElement];
  const store = new Map<string, string>();
  const dataTransfer = {
    setData: (kind: string, value: string) => store.set(kind, value),
    getData: (kind: string) => store.get(kind) ?? '',
    get types() {
      return [...store.keys()];
    },
  };
  fireEvent.dragStart(people, { dataTransfer });
  fireEvent.drop(city, { dataTransfer });
  expect(
    screen
      .getAllByRole('columnheader')
      .slice(1)
      .map((head) => head.textContent),
  ).toEqual(['People', 'City']);
});

it('opens a row to show what stands under it', async () => {
  await renderInFrame(<Cities expand={({ name }) => <p>About {name}</p>} />);
  const [, oslo] = screen.getAllByRole('button', { name: 'Details' }) as [HTMLElement, HTMLElement];
  await userEvent.click(oslo);
  expect(oslo).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByText('About Oslo')).toBeInTheDocument();
  expect(screen.queryByText('About Beijing')).not.toBeInTheDocument();
  await userEvent.click(oslo);
  expect(screen.queryByText('About Oslo')).not.toBeInTheDocument();
});

it('chooses one row with round marks', async () => {
  const chosen = vi.fn();
  await renderInFrame(<Cities selection={{ keys: new Set(['1']), onChange: chosen, single: true }} />);
  await userEvent.click(screen.getAllByRole('radio')[1] as HTMLElement);
  expect(chosen).toHaveBeenCalledWith(new Set(['2']));
});

it('chooses everything that the filter leaves, on all pages', async () => {
  const all = [...cities, { id: '3', name: 'Rome', people: 2 }];
  await renderInFrame(<Cities loadAll={async () => all} />);
  await userEvent.click(screen.getByRole('checkbox', { name: /Select all/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Select all 45' }));
  expect(await screen.findByText('1,2,3')).toBeInTheDocument();
});

it('draws the specification’s column types', async () => {
  const run = vi.fn();
  const types: Column<City>[] = [
    { key: 'no', title: 'No.', type: 'seq' },
    { key: 'name', title: 'City', type: 'text', text: ({ name }) => `${name} ${'x'.repeat(40)}` },
    {
      key: 'html',
      of: [],
      title: 'Html',
      type: 'html',
      html: () => '<b>bold</b><img src=x onerror=alert(1)><script>1</script>',
    },
    { key: 'people', title: 'People', hidden: true, render: ({ people }) => people },
    {
      key: 'do',
      title: 'Do',
      type: 'options',
      actions: () => [
        { key: 'go', label: 'Go', run },
        { key: 'stop', label: 'Stop', run, refused: 'It stands still' },
      ],
    },
  ];
  await renderInFrame(<Cities columns={types} />, { path: '/cities?current=2' });
  const row = screen.getAllByRole('row')[1] as HTMLElement;
  expect(within(row).getByText('21')).toBeInTheDocument();
  const whole = `Beijing ${'x'.repeat(40)}`;
  expect(within(row).getByText(`${whole.slice(0, 25)}…`)).toBeInTheDocument();
  await userEvent.hover(within(row).getByText(`${whole.slice(0, 25)}…`));
  expect(screen.getByRole('tooltip')).toHaveTextContent(whole);
  expect((await within(row).findByText('bold')).tagName).toBe('B');
  expect(row.querySelector('img, script')).toBeNull();
  expect(screen.queryByRole('columnheader', { name: 'People' })).not.toBeInTheDocument();
  await userEvent.click(within(row).getByRole('button', { name: 'Go' }));
  await userEvent.click(within(row).getByRole('button', { name: 'Stop' }));
  expect(run).toHaveBeenCalledTimes(1);
});

const rome: City = { id: '3', name: 'Rome', people: 3_000_000 };

/** The second page loads on request; until then the rows of the first one are shown. */
function SlowCities() {
  const [isThere, arrive] = useState(false);
  const isFirst = useLocation().search === '';
  const shown = isFirst || !isThere ? loaded : { ...loaded, data: { records: [rome], total: 45 } };
  return (
    <>
      <Cities
        columns={[{ key: 'no', title: 'No.', type: 'seq' }, ...columns]}
        query={{ ...shown, isPlaceholderData: !isFirst && !isThere }}
      />
      <button type="button" onClick={() => arrive(true)}>
        Arrive
      </button>
    </>
  );
}

it('numbers the rows that are shown, not those that are still loading', async () => {
  await renderInFrame(<SlowCities />, { path: '/cities' });
  const first = () => screen.getAllByRole('row')[1]?.textContent;
  expect(first()).toMatch(/^1Beijing/);
  await userEvent.click(screen.getByRole('button', { name: '2' }));
  expect(first()).toMatch(/^1Beijing/);
  await userEvent.click(screen.getByRole('button', { name: 'Arrive' }));
  expect(first()).toMatch(/^21Rome/);
});

it('narrows the list from a column’s head', async () => {
  const onChange = vi.fn();
  const filter = {
    options: [
      { value: '', label: 'All' },
      { value: 'eu', label: 'Europe' },
    ],
    value: '',
    onChange,
  };
  await renderInFrame(<Cities columns={[{ ...(columns[0] as Column<City>), filter }]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Filter by City' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Europe' }));
  expect(onChange).toHaveBeenCalledWith('eu');
});

function AllCities() {
  const state = useTableState('', genericPageSizes);
  const { search } = useLocation();
  return (
    <>
      <DataTable
        label="Cities"
        name="cities"
        columns={columns}
        query={loaded}
        state={state}
        rowKey={({ id }) => id}
      />
      <output>{search}</output>
    </>
  );
}

it('shows all rows where the page allows it', async () => {
  await renderInFrame(<AllCities />, { path: '/cities?current=3' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), 'All');
  expect(screen.getByText('?size=-1')).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '100 / page');
  expect(screen.getByText('?size=100')).toBeInTheDocument();
});

it('exports all pages, as the columns say them', async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob: Blob) => {
    saved.push(blob);
    return 'blob:x';
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const plain: Column<City>[] = [{ key: 'name', title: 'City', type: 'text', text: ({ name }) => name }];
  await renderInFrame(<Cities columns={plain} loadAll={async () => cities} />);
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }));
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]?.text()).toBe('City\r\nBeijing\r\nOslo\r\n');
});

it('says "no more data" where the page says nothing else', async () => {
  const nothing = { ...loaded, data: { records: [], total: 0 } };
  await renderInFrame(<Cities query={nothing} {...{ empty: undefined }} />);
  expect(screen.getByText('No more data')).toBeInTheDocument();
});

it('the pager has jumps, numbers, sizes, a field and the total', async () => {
  await renderInFrame(<Cities query={{ ...loaded, data: { records: cities, total: 400 } }} />, {
    path: '/cities?current=8',
  });
  const line = screen.getByText('400 in total').parentElement as HTMLElement;
  const parts = [...line.children].map((part) => part.getAttribute('aria-label') ?? part.textContent);
  expect(parts.slice(0, 2)).toEqual(['5 pages back', 'Previous page']);
  expect(parts.slice(-5, -3)).toEqual(['Next page', '5 pages on']);
  expect(parts.slice(-2)).toEqual(['Go to 1–20', '400 in total']);
  expect(screen.getByRole('button', { name: 'Previous page' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Next page' })).toBeInTheDocument();
  const sizes = screen.getByRole('combobox', { name: 'Rows per page' });
  expect(
    within(sizes)
      .getAllByRole<HTMLOptionElement>('option')
      .map(({ value }) => value),
  ).toEqual(['20', '50', '100', '300', '500', '1000']);
  await userEvent.click(screen.getByRole('button', { name: '5 pages on' }));
  expect(screen.getByText('?current=13')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: '5 pages back' }));
  await userEvent.type(screen.getByLabelText('Go to 1–20'), '20{Enter}');
  expect(screen.getByText('?current=20')).toBeInTheDocument();
});
