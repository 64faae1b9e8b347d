import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Overview, ProblemRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { ProblemsCard } from './problems-card';

const server = vi.hoisted(() => ({ keys: [] as string[] }));

vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  menuGrantedTree: async () => ({
    data: {
      code: 200,
      message: '',
      data: server.keys.map((menuKey) => ({ menuKey, operations: ['view'], children: [] })),
    },
    response: new Response(),
  }),
}));

const SINCE = '2026-03-05T10:20:30Z';
const problem = (fields: Partial<ProblemRecord>) =>
  ({
    kind: 'table',
    state: 'exception',
    linkId: 'l1',
    taskId: null,
    linkName: 'shop',
    reason: null,
    ...fields,
  }) as ProblemRecord;
const failed = problem({ subject: 'public.orders', since: SINCE });
const stopped = problem({ kind: 'service', subject: 'apply', since: SINCE, serviceId: 's1' });
const timeless = problem({ subject: 'public.items', since: null });
const overview = { problems: [failed, stopped, timeless], problemsTotal: 3 } as unknown as Overview;

function asked(name: string): URLSearchParams {
  const link = screen.getByRole('link', { name });
  return new URL(link.getAttribute('href') ?? '', 'http://console').searchParams;
}

beforeEach(() => {
  server.keys = ['sync-link', 'monitor/log-search'];
});

it('a problem leads to the logs around its beginning: of its link, or of the service that stopped', async () => {
  await renderInFrame(<ProblemsCard overview={overview} />);
  await screen.findByRole('link', { name: 'Log around: public.orders' });
  const ofTable = asked('Log around: public.orders');
  expect(ofTable.get('link')).toBe('l1');
  expect(Number(ofTable.get('from'))).toBe(Date.parse(SINCE) - 60_000);
  expect(Number(ofTable.get('to'))).toBe(Date.parse(SINCE) + 60_000);
  const ofService = asked('Log around: apply');
  expect([ofService.get('link'), ofService.get('log-source')]).toEqual([null, 's1']);
  expect(screen.queryByRole('link', { name: 'Log around: public.items' })).toBeNull();
});

it('who may not search logs is shown no way to them', async () => {
  server.keys = ['sync-link'];
  await renderInFrame(<ProblemsCard overview={overview} />);
  await screen.findAllByRole('link', { name: 'shop' });
  expect(screen.queryByRole('link', { name: /^Log around/ })).toBeNull();
});
