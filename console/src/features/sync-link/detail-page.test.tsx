import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { TaskTotals } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import DetailPage from './detail-page';

const place = { kind: 'mysql', place: { product: 'MySQL', title: 'd', address: 'h:3306' } };
const tables = {
  total: 1,
  loading: 0,
  running: 1,
  finished: 0,
  suspended: 0,
  error: 0,
  waiting: 0,
  rowErrors: 0,
  differing: 0,
};
const moment = {
  desired: 'running',
  state: 'incremental-running',
  stale: false,
  asOf: null,
  reason: null,
  heldUp: false,
  tables,
  rowsPerSecond: 0,
  lagMs: 200,
  pace: 'busy',
  verifiedUntil: null,
  unverified: 0,
  warnings: [],
  actions: [],
} satisfies Partial<TaskTotals>;
const later: TaskTotals = {
  ...moment,
  state: 'starting',
  tables: { ...tables, running: 0, waiting: 1 },
  rowsPerSecond: 1234,
  lagMs: 5000,
  pace: null,
  rowsLoaded: 0,
  rowsTotal: 0,
  milestones: [],
  inserts: 0,
  updates: 0,
  deletes: 0,
  timeLeftMs: null,
};
const link = { ...moment, id: 'l1', taskId: 'k1', name: 'shop', source: place, target: place, document: {} };

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  return {
    ...(await original<object>()),
    menuGrantedTree: async () => answer([]),
    syncLinkGet: async () => answer({ ...link, services: [] }),
    syncTaskPageTables: async () => answer({ records: [], total: 0, totals: later }),
  };
});

it('state, rate and lag are of the moment of the list of tables, while it is there', async () => {
  await renderInFrame(<DetailPage />);
  expect(await screen.findByText('1,234/s')).toBeInTheDocument();
  expect(screen.getByText('5.0 s')).toBeInTheDocument();
  expect(screen.getByText('Starting')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('tab', { name: 'Services' }));
  expect(await screen.findByText('200 ms')).toBeInTheDocument();
  expect(screen.queryByText('Starting')).toBeNull();
});
