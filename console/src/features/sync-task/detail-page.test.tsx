import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TaskTotals } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import DetailPage from './detail-page';

const list = vi.hoisted(() => ({ totals: undefined as unknown, fails: false }));

const counts = {
  total: 5,
  loading: 0,
  running: 5,
  finished: 0,
  suspended: 0,
  error: 0,
  waiting: 0,
  rowErrors: 0,
  differing: 0,
};
const progress = (error: number): TaskTotals => ({
  desired: 'running',
  state: error ? 'starting' : 'incremental-running',
  stale: false,
  asOf: null,
  reason: null,
  heldUp: false,
  rowsLoaded: 0,
  rowsTotal: 0,
  rowsPerSecond: error * 1234,
  lagMs: error ? 5000 : 200,
  pace: error ? 'behind' : 'idle',
  verifiedUntil: null,
  unverified: 0,
  warnings: [],
  actions: [],
  tables: { ...counts, running: 5 - error, error },
  milestones: [{ key: 'incremental', state: error ? 'error' : 'done', done: 5 - error, total: 5 }],
  inserts: 7 + error,
  updates: 0,
  deletes: 0,
  timeLeftMs: null,
});
const place = { kind: 'mysql', place: { product: 'MySQL', title: 'd', address: 'h:3306' } };
const task = {
  ...progress(0),
  id: 'k1',
  linkId: 'l1',
  name: 'shop',
  source: place,
  target: place,
};

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  return {
    ...(await original<object>()),
    menuGrantedTree: async () => answer([]),
    syncTaskGet: async () => answer(task),
    syncTaskPageTables: async () => {
      if (list.fails) throw new TypeError('no network');
      return answer({ records: [], total: 0, totals: list.totals });
    },
  };
});

beforeEach(() => {
  list.totals = progress(1);
  list.fails = false;
});

it('head and list of tables show one moment', async () => {
  await renderInFrame(<DetailPage />);
  expect(await screen.findByText('4 / 5')).toHaveTextContent('1 failed');
  expect(screen.getByText(/1 table has failed/)).toBeInTheDocument();
  expect(screen.getByText('4 / 5 tables')).toBeInTheDocument();
  expect(screen.getByText('8')).toBeInTheDocument();
  expect(screen.getByText('1,234/s')).toBeInTheDocument();
  expect(screen.getByText('5.0 s')).toBeInTheDocument();
  expect(screen.getByText('Starting')).toBeInTheDocument();
});

it('without the list the head shows its own figures', async () => {
  await renderInFrame(<DetailPage />);
  await screen.findByText('4 / 5');
  await userEvent.click(screen.getByRole('tab', { name: 'Row errors' }));
  expect(await screen.findByText('5 / 5')).toBeInTheDocument();
});

it('a list that fails has no say', async () => {
  list.fails = true;
  await renderInFrame(<DetailPage />);
  expect(await screen.findByText('5 / 5')).toBeInTheDocument();
});
