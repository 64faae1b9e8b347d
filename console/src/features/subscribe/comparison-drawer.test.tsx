import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { SheetRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import ComparisonDrawer from './comparison-drawer';

const granted = vi.hoisted(() => ({ operations: [] as string[] }));

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
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
