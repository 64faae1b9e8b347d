import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import english from '@/shared/i18n/locales/en/state.json';
import chinese from '@/shared/i18n/locales/zh/state.json';
import { renderInFrame } from '@/testing/render';
import { StateTag } from './state-tag';
import { lookOfState } from './states';

const PATIENCE = { timeout: 50_000 };

it.each([
  ['en', english],
  ['zh', chinese],
])('every state says what it means and what to do next, in %s', (_, words) => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(lookOfState).sort());
  for (const texts of Object.values(words)) {
    expect(texts.what.length).toBeGreaterThan(3);
    expect(texts.next.length).toBeGreaterThan(3);
  }
});

it('is explained by pointer', async () => {
  await renderInFrame(<StateTag state="full-topic-expired" since="2026-03-01T10:00:00Z" />);
  fireEvent.mouseEnter(await screen.findByText('Full topic expired'));
  const hint = await screen.findByRole('tooltip', {}, PATIENCE);
  await waitFor(() => expect(hint).toHaveTextContent(english['full-topic-expired'].what), PATIENCE);
  expect(hint).toHaveTextContent(/since 2026-03-01/);
  expect(hint).toHaveTextContent(`Next: ${english['full-topic-expired'].next}`);
});

it('is explained by keyboard, and its reason says better what to do', async () => {
  const reason = { text: 'The source cannot be reached', remedy: 'Check the network' };
  await renderInFrame(<StateTag state="abnormal" reason={reason} />, { locale: 'zh' });
  await screen.findByText('状态异常');
  await userEvent.tab();
  const hint = await screen.findByRole('tooltip', {}, PATIENCE);
  await waitFor(() => expect(hint).toHaveTextContent(chinese.abnormal.what), PATIENCE);
  expect(hint).toHaveTextContent(reason.text);
  expect(hint).toHaveTextContent(`下一步：${reason.remedy}`);
  expect(hint).not.toHaveTextContent(chinese.abnormal.next);
});

it('is not explained when a dialog that closes gives the focus back', async () => {
  await renderInFrame(<StateTag state="abnormal" />);
  const tag = (await screen.findByText('Abnormal state')).closest('[tabindex="0"]') as HTMLElement;
  act(() => tag.focus());
  expect(tag).not.toHaveAttribute('aria-describedby');
  await userEvent.tab({ shift: true });
  await userEvent.tab();
  expect(tag).toHaveAttribute('aria-describedby');
});

it('a started service with a reason is not shown as healthy', async () => {
  await renderInFrame(
    <>
      <StateTag state="started" />
      <StateTag state="started" reason={{ text: 'The target cannot be reached' }} heldUp />
    </>,
  );
  expect((await screen.findByText('Started')).closest('[data-look]')).toHaveAttribute('data-look', 'good');
  const heldUp = screen.getByText('Started, held up').closest('[data-look]');
  expect(heldUp).toHaveAttribute('data-look', 'warning');
});

it('a starting service is held up only where the server says so', async () => {
  const reason = { text: 'The source cannot be reached' };
  await renderInFrame(
    <>
      <StateTag state="starting" reason={reason} heldUp />
      <StateTag state="starting" reason={reason} />
    </>,
  );
  expect((await screen.findByText('Starting')).closest('[data-look]')).toHaveAttribute('data-look', 'busy');
  const heldUp = screen.getByText('Held up').closest('[data-look]');
  expect(heldUp).toHaveAttribute('data-look', 'warning');
});

it('an unknown state has no explanation', async () => {
  await renderInFrame(<StateTag state="never-heard-of" />);
  expect(document.querySelector('[data-state=never-heard-of]')).toBeVisible();
  expect(document.querySelector('[tabindex="0"]')).toBeNull();
});

it('a link with failed tables is not shown as healthy', async () => {
  await renderInFrame(<StateTag state="incremental-running" failedTables={2} />);
  const running = (await screen.findByText('Incremental running')).closest('[data-look]');
  expect(running).toHaveAttribute('data-look', 'warning');
  await userEvent.tab();
  expect(await screen.findByRole('tooltip', {}, PATIENCE)).toHaveTextContent(/2 tables have failed/);
});

it('a link with open alerts is not shown as healthy', async () => {
  await renderInFrame(<StateTag state="incremental-running" warnings={1} />);
  const running = (await screen.findByText('Incremental running')).closest('[data-look]');
  expect(running).toHaveAttribute('data-look', 'warning');
});

it('what works with open row errors is not shown as healthy, what failed stays as it is', async () => {
  await renderInFrame(
    <>
      <StateTag state="incremental-running" rowErrors={4} />
      <StateTag state="incremental-error" rowErrors={4} />
    </>,
  );
  const running = (await screen.findByText('Incremental running')).closest('[data-look]');
  expect(running).toHaveAttribute('data-look', 'warning');
  expect(screen.getByText('Incremental error').closest('[data-look]')).toHaveAttribute('data-look', 'bad');
  await userEvent.tab();
  expect(await screen.findByRole('tooltip', {}, PATIENCE)).toHaveTextContent(/4 row errors/);
});

it('a failed load says to read the backend log of the subscription channel', async () => {
  await renderInFrame(<StateTag state="full-error" />);
  fireEvent.mouseEnter(await screen.findByText('Full error'));
  const hint = await screen.findByRole('tooltip', {}, PATIENCE);
  await waitFor(() => expect(hint).toHaveTextContent('Data entry failed'), PATIENCE);
  expect(hint).toHaveTextContent("the subscription channel's backend log");
});
