import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TestRow } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { TestRows } from './test-rows';

function row(change: Partial<TestRow>): TestRow {
  const plain = {
    testMatters: '登录',
    checkSql: 'SELECT 1',
    status: true,
    logInfo: 'ok',
    remedy: '',
    advice: '',
  };
  return { ...plain, blocking: true, item: 'login', database: 'db.example:5432/shop', ...change };
}

function show(rows: TestRow[]) {
  return renderInFrame(<TestRows test={{ phase: 'failed', rows }} />);
}

it('shows one row per check, with what was run and how it ended', async () => {
  await show([row({}), row({ testMatters: '权限', status: false, remedy: 'GRANT SELECT ON t TO reader;' })]);
  const [, passed, failed] = await screen.findAllByRole('row');
  expect(within(passed as HTMLElement).getByText('SELECT 1')).toBeVisible();
  expect(passed).toHaveAttribute('data-status', 'passed');
  expect(failed).toHaveAttribute('data-status', 'failed');
  expect(within(failed as HTMLElement).getByText('GRANT SELECT ON t TO reader;')).toBeVisible();
});

it('says in words what to do where nothing can be run', async () => {
  await show([row({ status: false, advice: 'Connect to the primary server instead' })]);
  expect(await screen.findByText('Connect to the primary server instead')).toBeVisible();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

it('calls a failed check that does not block a warning', async () => {
  await show([row({ status: false, blocking: false })]);
  expect((await screen.findAllByRole('row'))[1]).toHaveAttribute('data-status', 'warning');
});

it('says whose checks they are where several databases were tested', async () => {
  await show([row({}), row({ database: 'db.example:5432/copy', status: false })]);
  const heads = await screen.findAllByRole('rowheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    'db.example:5432/shop',
    'db.example:5432/copy',
  ]);
});

it('shows that a test runs', async () => {
  await renderInFrame(<TestRows test={{ phase: 'running', rows: [] }} />);
  expect(await screen.findByRole('table')).toHaveAttribute('aria-busy', 'true');
});
