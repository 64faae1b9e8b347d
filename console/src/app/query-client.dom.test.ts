import { MutationObserver } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import { ApiError, type FailureCode } from '@/shared/api/errors';
import type { Asked } from '@/shared/api/notices';
import { useNotices } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { loadMessages } from '@/testing/messages';
import { queryClient } from './query-client';

const REASON = 'Publish node shop is steered by the sync link demo';

beforeEach(async () => {
  await loadMessages('en');
  useNotices.setState({ waiting: [] });
});

const said = () => useNotices.getState().waiting.map(({ text }) => text);
const refusal = (code: FailureCode = 300, data?: unknown) => new ApiError(code, REASON, {}, data);

/** Fails as a change of the viewer's that was asked for with `meta`. */
async function fail(asked: Asked | (() => Asked) | undefined, error = refusal()) {
  const change = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(error),
    meta: asked ? { asked } : {},
  });
  await change.mutate().catch(() => undefined);
}

it.each([
  ['status', 'Status update failed'],
  ['delete', 'Delete failed'],
  ['submit', 'Submit failed'],
  ['modify', 'Modify failed'],
  ['export', 'Failed to export file'],
] as const)('says that %s failed, and why', async (asked, words) => {
  await fail(asked);
  expect(said()).toEqual([`${words}: ${REASON}`]);
});

it('says it in Chinese', async () => {
  await loadMessages('zh');
  for (const asked of ['status', 'delete', 'submit', 'modify', 'export'] as const) await fail(asked);
  const words = ['状态更新失败', '删除失败', '提交失败', '修改失败', '导出文件失败'];
  expect(said()).toEqual(words.map((one) => `${one}：${REASON}`));
});

it('knows by what was asked which of them it was', async () => {
  await fail(() => 'delete');
  expect(said()).toEqual([`Delete failed: ${REASON}`]);
});

it('says the reason alone where nothing of the kind was asked', async () => {
  await fail(undefined);
  expect(said()).toEqual([REASON]);
});

it.each([408, 500, 10000, 40103, 40105, 60101, 60300, 61100, 'timeout', 'unreachable'] as const)(
  'leaves the message of code %s as the table has it',
  async (code) => {
    await fail('modify', refusal(code));
    expect(said()).toEqual([REASON]);
  },
);

it('says no failure of what was called off', async () => {
  await fail('submit', refusal(300, { error: 'call-cancelled' }));
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'info', text: REASON }]);
});

it('says it also of what a dialog asks, which stays open', () => {
  expect(() => reportFailure('delete')(refusal())).toThrow(REASON);
  expect(said()).toEqual([`Delete failed: ${REASON}`]);
});
