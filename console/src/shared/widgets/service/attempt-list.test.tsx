import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { AttemptList } from './attempt-list';

const run = { startedAt: '2026-03-01T10:00:00Z', endedAt: '2026-03-01T11:00:00Z', reason: null };
const cause = { code: 'crashed', text: 'The process ended unexpectedly', remedy: '', facts: {} };

it('distinguishes runs that ended as requested from others', async () => {
  const crashed = { ...run, startedAt: '2026-03-01T12:00:00Z', result: 'signal 9', reason: cause };
  await renderInFrame(<AttemptList service="s1" attempts={[{ ...run, result: 'exit 0' }, crashed]} />);
  const [, asked, killed] = await screen.findAllByRole('row');
  expect(within(asked as HTMLElement).getByText('Normal stop')).toBeVisible();
  expect(within(asked as HTMLElement).getByText('Exit code 0')).toBeVisible();
  expect(within(killed as HTMLElement).getByText('Signal 9')).toBeVisible();
  expect(within(killed as HTMLElement).getByText('Abnormal stop')).toBeVisible();
  expect(within(killed as HTMLElement).getByText(cause.text)).toBeVisible();
});
