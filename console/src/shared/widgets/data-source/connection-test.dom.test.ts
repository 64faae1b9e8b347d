import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { ApiError } from '@/shared/api';
import { useNotices } from '@/shared/lib/notices';
import { loadMessages } from '@/testing/messages';
import { useConnectionTest } from './connection-test';

const row = { testMatters: 'login', checkSql: 'SELECT 1', status: false, logInfo: 'refused', blocking: true };

beforeEach(async () => {
  useNotices.setState({ waiting: [] });
  await loadMessages('en');
});

async function outcomeOf(error: ApiError) {
  const { result } = renderHook(useConnectionTest);
  await act(() => result.current.run(() => Promise.reject(error)));
  return result.current.test;
}

it('a test that does not pass keeps its rows, and they say what is wrong', async () => {
  const test = await outcomeOf(new ApiError(300, 'failed', {}, { testConnectionInfoList: [row] }));
  expect(test).toMatchObject({ phase: 'failed', rows: [row] });
  expect(useNotices.getState().waiting).toEqual([]);
});

it('parameters of the wrong type are reported as such', async () => {
  const test = await outcomeOf(new ApiError(422, 'wrong fields: port'));
  expect(test?.error?.message).toBe('wrong fields: port');
  expect(useNotices.getState().waiting).toMatchObject([
    { kind: 'error', text: 'Connection test parameter error' },
  ]);
});
