import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { notify, useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { NoticeBoard } from './notice-board';

afterEach(() => useNotices.setState({ waiting: [] }));

it('every notice is titled Tips, whatever its kind', async () => {
  await renderInFrame(<NoticeBoard />);
  for (const kind of ['success', 'info', 'warning', 'error'] as const) {
    notify(kind, `of kind ${kind}`);
    const notice = (await screen.findByText(`of kind ${kind}`)).closest('.ant-notification-notice');
    expect(notice).toHaveTextContent(/^Tips/);
  }
});
