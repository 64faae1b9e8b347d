import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { subscribePageSheet } from '@/shared/api';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { awaitRepairs, useRepairOutcomes } from './use-repair-outcomes';

const states: Record<string, string> = { t1: 'repairing', t2: 'repairing' };

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  subscribePageSheet: vi.fn(async ({ body }: { body: { tables: string[] } }) => ({
    data: {
      code: 200,
      message: '',
      data: {
        total: body.tables.length,
        records: body.tables.map((id) => ({
          id,
          source: `public.${id}`,
          comparison: { repairState: states[id], repaired: 3, repairReason: { text: 'The target is away' } },
        })),
      },
    },
    response: new Response(),
  })),
}));

function Page() {
  useRepairOutcomes();
  return null;
}

it('says how each repair ended once it has, and then asks no more', async () => {
  awaitRepairs(['t1', 't2']);
  await renderInFrame(<Page />);
  await waitFor(() => expect(subscribePageSheet).toHaveBeenCalled());
  expect(useNotices.getState().waiting).toEqual([]);
  Object.assign(states, { t1: 'repair-done', t2: 'repair-error' });
  await waitFor(() => expect(useNotices.getState().waiting).toHaveLength(2), { timeout: 15_000 });
  expect(useNotices.getState().waiting.map(({ kind, text }) => [kind, text])).toEqual([
    ['success', 'Repair success: public.t1 (3 rows)'],
    ['error', 'Repair failed: public.t2. The target is away'],
  ]);
});
