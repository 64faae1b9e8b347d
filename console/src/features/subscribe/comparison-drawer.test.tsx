import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { SheetRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import ComparisonDrawer from './comparison-drawer';
// Loaded with the test: what is lazy then is there at once.
import './repair-preview';

const granted = vi.hoisted(() => ({ operations: [] as string[] }));
const preview = vi.hoisted(() => vi.fn());

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  contrastPreviewRepair: async (asked: unknown) => ({
    data: { code: 200, message: '', data: preview(asked) },
    response: new Response(),
  }),
  menuGrantedTree: async () => ({
    data: {
      code: 200,
      message: '',
      data: [{ menuKey: 'subscribe', operations: granted.operations, children: [] }],
    },
    response: new Response(),
  }),
}));

const table = { id: 't1', source: 'public.orders', comparison: null } as unknown as SheetRecord;
const ask = vi.fn();

beforeEach(() => {
  granted.operations = ['view', 'operate'];
  ask.mockReset();
});

it('says why something cannot be asked, in reach of the keyboard', async () => {
  await renderInFrame(<ComparisonDrawer table={table} ask={ask} onClose={vi.fn()} />);
  const repair = await screen.findByRole('button', { name: 'Repair' });
  expect(repair).toBeEnabled();
  expect(repair).toHaveAttribute('aria-disabled', 'true');
  expect(repair).toHaveAccessibleDescription('Never compared');
  await userEvent.click(repair);
  expect(ask).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
  expect(ask).toHaveBeenCalledWith('compare', [table], expect.anything());
});

it('offers nothing to those who may only look', async () => {
  granted.operations = ['view'];
  await renderInFrame(<ComparisonDrawer table={table} ask={ask} onClose={vi.fn()} />);
  await screen.findByRole('dialog');
  expect(screen.queryByRole('button', { name: 'Compare' })).toBeNull();
});

it('only counts the rows of a table without a key', async () => {
  const keyless = { ...table, appendOnly: true };
  await renderInFrame(<ComparisonDrawer table={keyless} ask={ask} onClose={vi.fn()} />);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Method' }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['count']);
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
  expect(ask).toHaveBeenCalledWith('compare', [keyless], { method: 'count', columns: [], rounds: 3 });
});

it('shows the SQL of a repair before it asks for it', async () => {
  const statement = 'DELETE FROM "public"."orders" WHERE "id" = \'7\'';
  preview.mockReturnValue({
    settings: ["SET TimeZone = 'UTC'"],
    statements: [{ kind: 'extra', key: ['7'], statement }],
    examined: 1000,
    total: 1200,
    cut: false,
  });
  const found = {
    ...table,
    comparison: {
      method: 'content',
      columns: [],
      rounds: 3,
      state: 'comparison-done',
      repairState: 'allowed',
      refusals: {},
      reason: null,
      repairReason: null,
      differences: 1200,
    },
  } as unknown as SheetRecord;
  await renderInFrame(<ComparisonDrawer table={found} ask={ask} onClose={vi.fn()} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show repair SQL' }));
  // The kit gives all dialogs one id in tests, so that the name is the drawer's.
  const title = await screen.findByText('Repair SQL of public.orders');
  const dialog = title.closest<HTMLElement>('.ant-modal');
  if (!dialog) throw new Error('no dialog');
  const script = await within(dialog).findByText(/SET TimeZone/);
  expect(script.textContent).toBe(`SET TimeZone = 'UTC';\n${statement};\n`);
  expect(within(dialog).getByRole('alert')).toHaveTextContent('1 statement for 1000 of 1200 rows');
  expect(within(dialog).getByRole('button', { name: 'Download SQL' })).toBeEnabled();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Repair' }));
  expect(ask).toHaveBeenCalledWith('repair', [found], expect.anything());
});
