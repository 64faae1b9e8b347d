import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { ColumnsDrawer } from './columns-drawer';
import type { PickedTable } from './draft';

vi.mock('@/shared/widgets/data-source/queries', async (original) => ({
  ...(await original<object>()),
  useDescription: () => ({
    data: { columns: [{ name: 'id', nativeType: 'int', targetType: 'int', key: true, nullable: false }] },
    error: null,
  }),
}));

const table = {
  schema: 'public',
  table: 'orders',
  targetSchema: '',
  targetTable: '',
  key: [],
} as unknown as PickedTable;
const onSave = vi.fn();
const FAULT = 'An added column needs a name';

beforeEach(() => onSave.mockReset());

async function addLine() {
  await renderInFrame(<ColumnsDrawer table={table} onSave={onSave} onClose={vi.fn()} />);
  await userEvent.click(await screen.findByRole('button', { name: /Add a column/ }));
  return screen.getByRole('textbox', { name: 'Name of added column 1' });
}

it('says nothing of a column that was only just added', async () => {
  const name = await addLine();
  expect(screen.queryByText(FAULT)).toBeNull();
  expect(name).not.toBeInvalid();
});

it('says what it lacks once it was left empty, and no more when it has it', async () => {
  const name = await addLine();
  await userEvent.click(name);
  await userEvent.tab();
  expect(await screen.findByText(FAULT)).toBeInTheDocument();
  expect(name).toBeInvalid();
  await userEvent.type(name, 'origin');
  expect(screen.queryByText(FAULT)).toBeNull();
});

it('says it on saving, with the focus where it is to be mended, and saves nothing', async () => {
  const name = await addLine();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(FAULT)).toBeInTheDocument();
  expect(name).toHaveFocus();
  expect(onSave).not.toHaveBeenCalled();
  await userEvent.type(name, 'origin');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onSave).toHaveBeenCalledOnce();
});
