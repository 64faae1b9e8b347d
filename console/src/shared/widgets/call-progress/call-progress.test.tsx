import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ProgressRecord } from '@/shared/api';
import { prepareClient } from '@/shared/api/client';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { CallProgressHost, follow } from '.';
import { useFollowedCalls } from './follow';

const CHECKING = { text: 'Checking the tables', done: 300, total: 1200, timeLeftMs: 9000, cancellable: true };

let progress: ProgressRecord | null;
let isInTime: boolean;
let asked: { path: string; key: string }[];

prepareClient();
vi.setConfig({ testTimeout: 30_000 });

// The host loads it when it is wanted; a busy machine takes long to read it.
beforeAll(() => import('./dialog').then(() => undefined), 60_000);

beforeEach(() => {
  progress = CHECKING;
  isInTime = true;
  asked = [];
  useNotices.setState({ waiting: [] });
  useFollowedCalls.setState({ calls: [] });
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname;
    asked.push({ path: path.replace(/.*\//, ''), key: JSON.parse(await request.text()).key });
    return Response.json({ code: 200, message: '', data: path.endsWith('/cancel') ? isInTime : progress });
  });
});

/** Follows a call that ends on the test's signal; returns the call's name. */
async function begin() {
  await renderInFrame(<CallProgressHost />);
  const made = { key: '', end: (_data: string) => {}, outcome: Promise.resolve('') };
  act(() => {
    made.outcome = follow('Add tables', (headers) => {
      made.key = headers['zcbus-progress'];
      return new Promise((resolve) => {
        made.end = resolve;
      });
    });
  });
  return made;
}

const shown = () => screen.findByRole('dialog', { name: 'Operation under way' }, { timeout: 15_000 });
const cancel = () => screen.getByRole('button', { name: 'Cancel the operation' });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

it('says how far a call is once it takes long, and is gone when it ends', async () => {
  const made = await begin();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await shown();
  expect(screen.getByText('Add tables')).toBeInTheDocument();
  expect(await screen.findByText('Checking the tables')).toBeInTheDocument();
  expect(screen.getByRole('progressbar', { name: '300 / 1,200' })).toHaveAttribute('aria-valuenow', '25');
  expect(screen.getByText('About 9.0 s left in this step')).toBeInTheDocument();
  expect(asked[0]).toEqual({ path: 'get', key: made.key });
  await act(async () => made.end('done'));
  await expect(made.outcome).resolves.toBe('done');
  await isGone();
});

it('shows the remaining time in whole seconds', async () => {
  progress = { ...CHECKING, timeLeftMs: 498 };
  await begin();
  await shown();
  expect(await screen.findByText('About 1.0 s left in this step')).toBeInTheDocument();
});

it('calls it off by its name', async () => {
  const made = await begin();
  await shown();
  await waitFor(() => expect(cancel()).not.toHaveAttribute('aria-disabled', 'true'));
  await userEvent.click(cancel());
  await waitFor(() => expect(asked).toContainEqual({ path: 'cancel', key: made.key }));
  expect(useNotices.getState().waiting).toEqual([]);
});

it('says so where that comes too late', async () => {
  isInTime = false;
  await begin();
  await shown();
  await waitFor(() => expect(cancel()).not.toHaveAttribute('aria-disabled', 'true'));
  await userEvent.click(cancel());
  await waitFor(() => expect(useNotices.getState().waiting[0]?.text).toMatch('no longer be cancelled'));
});

it('cannot be called off while it is saved', async () => {
  progress = { ...CHECKING, text: 'Saving', timeLeftMs: null, cancellable: false };
  await begin();
  await shown();
  expect(await screen.findByText('Saving')).toBeInTheDocument();
  expect(cancel()).toHaveAccessibleDescription('It is being saved already and can no longer be cancelled');
  await userEvent.click(cancel());
  expect(asked.map(({ path }) => path)).not.toContain('cancel');
});

it('continues when the dialog is closed', async () => {
  const made = await begin();
  await shown();
  await userEvent.click(screen.getByRole('button', { name: 'Continue in the background' }));
  await isGone();
  await act(async () => made.end('done'));
  await expect(made.outcome).resolves.toBe('done');
  expect(asked.map(({ path }) => path)).not.toContain('cancel');
});
