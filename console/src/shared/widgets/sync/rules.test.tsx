import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { IncrementalPositionRecord, TaskTableRecord } from '@/shared/api';
import { ApiError } from '@/shared/api/errors';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import LimitsDrawer from './errors/limits-drawer';
import IncrementalDialog from './incremental-dialog';

const table = { id: 't1', source: 'public.orders', errorLimit: 0, dmlSkip: 0, ddlSkip: 0 } as TaskTableRecord;
const place: IncrementalPositionRecord = {
  offset: 7,
  firstOffset: 0,
  nextOffset: 9,
  complete: true,
  tables: [],
};

/** Drawn as soon as its words are there. */
async function draw(...part: Parameters<typeof renderInFrame>) {
  await renderInFrame(...part);
  await screen.findAllByRole('button');
}

beforeEach(() => useNotices.setState({ waiting: [] }));

it.each([
  ['DDL skip count', '101', 'Enter a whole number from 0 to 100'],
  ['DML skip count', '1000001', 'Enter a whole number from 0 to 1,000,000'],
  ['DML skip count', '', 'Enter a whole number from 0 to 1,000,000'],
  ['DDL skip count', '-1', 'Enter a whole number from 0 to 100'],
])('%s is not %j', async (label, text, fault) => {
  const set = vi.fn();
  await draw(<LimitsDrawer set={set} tables={[table]} onResults={vi.fn()} onClose={vi.fn()} />);
  await userEvent.clear(screen.getByLabelText(label));
  if (text) await userEvent.type(screen.getByLabelText(label), text);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(fault)).toBeInTheDocument();
  expect(set).not.toHaveBeenCalled();
});

it('the largest skip counts are taken', async () => {
  const set = vi
    .fn()
    .mockResolvedValue([{ id: '1', table: 't', done: true, reason: '', code: '', facts: {} }]);
  await draw(<LimitsDrawer set={set} tables={[table]} onResults={vi.fn()} onClose={vi.fn()} />);
  for (const [label, text] of [
    ['DDL skip count', '100'],
    ['DML skip count', '1000000'],
  ] as const) {
    await userEvent.clear(screen.getByLabelText(label));
    await userEvent.type(screen.getByLabelText(label), text);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const limits = { errorLimit: 0, dmlSkip: 1_000_000, ddlSkip: 100 };
  await waitFor(() => expect(set).toHaveBeenCalledWith([table], limits));
});

it('incremental subscription needs its time, or its start offset', async () => {
  const find = vi.fn();
  await draw(
    <IncrementalDialog tables={[table]} find={find} start={vi.fn()} onResults={vi.fn()} onClose={vi.fn()} />,
  );
  const look = screen.getByRole('button', { name: 'Look up' });
  await userEvent.click(look);
  expect(await screen.findByText('Time cannot be empty')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('radio', { name: 'By offset' }));
  await userEvent.click(look);
  expect(await screen.findByText('Enter a start offset')).toBeInTheDocument();
  expect(find).not.toHaveBeenCalled();
});

it('says that incremental subscription failed to start, and why', async () => {
  const start = vi.fn().mockRejectedValue(new ApiError(300, 'Table public.orders is running'));
  const find = vi.fn().mockResolvedValue(place);
  const onClose = vi.fn();
  await draw(
    <IncrementalDialog tables={[table]} find={find} start={start} onResults={vi.fn()} onClose={onClose} />,
  );
  const begin = screen.getByRole('button', { name: 'Start' });
  expect(begin).toHaveAccessibleDescription('Look up the position first');
  await userEvent.click(screen.getByRole('radio', { name: 'By offset' }));
  await userEvent.type(screen.getByLabelText('Offset', { selector: 'input:not([type=radio])' }), '7');
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }));
  await waitFor(() => expect(begin).not.toHaveAttribute('aria-disabled', 'true'));
  await userEvent.click(begin);
  await waitFor(() =>
    expect(useNotices.getState().waiting).toMatchObject([
      { kind: 'error', text: 'Incremental subscription failed to start: Table public.orders is running' },
    ]),
  );
  expect(onClose).not.toHaveBeenCalled();
});
