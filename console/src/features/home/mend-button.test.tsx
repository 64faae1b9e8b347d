import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ProblemRecord } from '@/shared/api';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { MendButton } from './mend-button';

const server = vi.hoisted(() => ({
  operations: [] as string[],
  asked: [] as object[],
  result: { done: true, reason: '', error: null } as object,
}));

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  const change = async ({ body }: { body: object }) => {
    server.asked.push(body);
    return answer([server.result]);
  };
  return {
    ...(await original<object>()),
    menuGrantedTree: async () =>
      answer(
        ['sync-link', 'system/service_management', 'stream'].map((menuKey) => ({
          menuKey,
          operations: server.operations,
          children: [],
        })),
      ),
    syncLinkResumeTables: change,
    serviceModifyStatus: change,
  };
});

const problem = (fields: Partial<ProblemRecord>) =>
  ({ kind: 'table', subject: 'public.orders', linkId: 'l1', mend: null, ...fields }) as ProblemRecord;
const failed = problem({ mend: 'retry' });
const stopped = problem({ kind: 'service', subject: 'shop', mend: 'start', serviceId: 's1' });
const refused = problem({ kind: 'row-errors' });
const notices = () => useNotices.getState().waiting.map(({ kind, text }) => `${kind} ${text}`);

beforeEach(() => {
  server.operations = ['view', 'operate'];
  server.asked = [];
  server.result = { done: true, reason: '', error: null };
  useNotices.setState({ waiting: [] });
});

it('a table in error is tried again, a service that ended is started', async () => {
  await renderInFrame(
    <>
      <MendButton problem={failed} path="/x" />
      <MendButton problem={stopped} path="/x" />
    </>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Retry public.orders' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Start shop' }));
  expect(server.asked).toEqual([
    { id: 'l1', tables: ['public.orders'] },
    { ids: ['s1'], status: 'started' },
  ]);
  expect(notices()).toEqual([
    'success Table public.orders was asked to try again',
    'success Service shop was asked to start',
  ]);
});

it('a refusal is shown with its reason', async () => {
  server.result = { done: false, reason: 'It is not in error any more', error: null };
  await renderInFrame(<MendButton problem={failed} path="/x" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry public.orders' }));
  expect(notices()).toEqual(['error It is not in error any more']);
});

it('row errors are decided on their page, and who only looks is offered nothing else', async () => {
  server.operations = ['view'];
  await renderInFrame(
    <>
      <MendButton problem={failed} path="/x" />
      <MendButton problem={stopped} path="/x" />
      <MendButton problem={refused} path="/errors" />
      <MendButton problem={problem({ kind: 'computation' })} path="/link" />
    </>,
  );
  expect(await screen.findByRole('link', { name: 'See the computations' })).toHaveAttribute(
    'href',
    '/stream',
  );
  expect(await screen.findByRole('link', { name: 'See the row errors' })).toHaveAttribute('href', '/errors');
  expect(screen.queryByRole('button', { name: /Retry|Start/ })).toBeNull();
});
