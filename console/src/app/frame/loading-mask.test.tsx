import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useBusy } from '@/shared/lib/busy';
import { renderInFrame } from '@/testing/render';
import { LoadingMask } from './loading-mask';

it.each([
  ['zh', '正在处理，请稍候…'],
  ['en', 'Processing, please wait...'],
] as const)('says in %s that something runs, though not at once', async (locale, text) => {
  await renderInFrame(<LoadingMask />, { locale });
  act(() => useBusy.getState().begin());
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(await screen.findByRole('status')).toHaveTextContent(text);
  act(() => useBusy.getState().end());
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});
