import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { contrastCompare, type SheetRecord } from '@/shared/api';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { useComparison } from './use-comparison';

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  contrastCompare: vi.fn(async ({ body }: { body: { tables: string[] } }) => ({
    data: {
      code: 200,
      message: '',
      data: body.tables.map((id) => ({ id, table: id, done: true, reason: '' })),
    },
    response: new Response(),
  })),
}));

const rows = [
  { id: 't1', appendOnly: false },
  { id: 't2', appendOnly: true },
] as SheetRecord[];

function Compare() {
  const compare = useComparison(vi.fn());
  return (
    <button type="button" onClick={() => compare('compare', rows)}>
      go
    </button>
  );
}

it('compares chosen tables by what suits each, and says of which only the rows are counted', async () => {
  await renderInFrame(<Compare />);
  await userEvent.click(await screen.findByRole('button', { name: 'go' }));
  await waitFor(() => expect(useNotices.getState().waiting).toHaveLength(1));
  const [notice] = useNotices.getState().waiting;
  expect(notice?.text).toMatch(
    /^2 tables are compared; 1 of them is published append-only, only its record count/,
  );
  const body = { tables: ['t1', 't2'], method: null, columns: [], rounds: 3 };
  expect(contrastCompare).toHaveBeenCalledWith({ body });
});
