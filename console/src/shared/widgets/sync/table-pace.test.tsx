import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TaskTableRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { useTableColumns } from './table-columns';

const row = {
  id: 't',
  state: 'incremental-running',
  since: null,
  rowErrors: 0,
  reason: null,
  expiresAt: null,
};

function StateOf({ pace }: { pace: TaskTableRecord['pace'] }) {
  const columns = useTableColumns({ act: undefined, explain: () => undefined, openErrors: undefined });
  const state = columns.find(({ key }) => key === 'state');
  return state && 'render' in state
    ? state.render?.({ ...row, pace } as unknown as TaskTableRecord, 0)
    : null;
}

it('a table of the list says whether it is idle, busy or behind', async () => {
  const { container } = await renderInFrame(<StateOf pace="idle" />);
  expect(await screen.findByText('Idle')).toBeInTheDocument();
  expect(container.querySelector('[data-pace]')).toHaveAttribute('data-pace', 'idle');
});
