import i18n from 'i18next';
import { useCallback, useRef, useState } from 'react';
import { ApiError, type ConnectionTestRecord, type TestRow } from '@/shared/api';
import { notify } from '@/shared/lib/notices';

/** The server's code for a request that is not what the call takes. */
const MALFORMED = 422;

export interface ConnectionTest {
  phase: 'running' | 'passed' | 'failed';
  rows: readonly TestRow[];
  /** Why there are no rows: the test itself could not be run. */
  error?: Error;
}

/** A test that did not pass is refused by the server, with the rows in the refusal's data. */
function failedTest(error: unknown): ConnectionTest {
  const data =
    error instanceof ApiError ? (error.data as Partial<ConnectionTestRecord> | undefined) : undefined;
  const rows = data?.testConnectionInfoList;
  if (rows && rows.length > 0) return { phase: 'failed', rows };
  if (error instanceof ApiError && error.code === MALFORMED)
    notify('error', i18n.t('failure.testParameters'));
  return { phase: 'failed', rows: [], error: error instanceof Error ? error : new Error(String(error)) };
}

/** Runs one test at a time; the answer of an abandoned test is dropped. */
export function useConnectionTest() {
  const [test, setTest] = useState<ConnectionTest>();
  const latest = useRef(0);
  const run = useCallback(async (ask: () => Promise<ConnectionTestRecord>): Promise<boolean> => {
    latest.current += 1;
    const own = latest.current;
    setTest({ phase: 'running', rows: [] });
    const outcome = await ask().then(
      (answer): ConnectionTest => ({ phase: 'passed', rows: answer.testConnectionInfoList }),
      failedTest,
    );
    if (own !== latest.current) return false;
    setTest(outcome);
    return outcome.phase === 'passed';
  }, []);
  const dismiss = useCallback(() => {
    latest.current += 1;
    setTest(undefined);
  }, []);
  return { test, run, dismiss };
}
