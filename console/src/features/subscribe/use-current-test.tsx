import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { call, datasourceTestCurrentTargets } from '@/shared/api';
import { useConnectionTest } from '@/shared/widgets/data-source/connection-test';
import { databasesOf } from './queries';

// What is opened by few comes when it is opened.
const TestDialog = lazy(() =>
  import('@/shared/widgets/data-source/test-dialog').then((module) => ({ default: module.TestDialog })),
);

/** Which stored databases are tested: one, or all of a customer. */
export type Tested = { databaseId: string } | { customerId: string };

async function testStored(tested: Tested) {
  const ids = 'databaseId' in tested ? [tested.databaseId] : await databasesOf(tested.customerId);
  const busClientDbParameterList = ids.map((databaseId) => ({ databaseId }));
  return call(datasourceTestCurrentTargets({ body: { busClientDbParameterList } }));
}

/** Tests databases as they are stored, all together, and the dialog that shows what was found. */
export function useCurrentTest(): [(tested: Tested) => void, ReactNode] {
  const { test, run, dismiss } = useConnectionTest();
  const [asked, setAsked] = useState<Tested>();
  const ask = useCallback(
    (tested: Tested) => {
      setAsked(tested);
      void run(() => testStored(tested));
    },
    [run],
  );
  const dialog = test && asked && (
    <Suspense>
      <TestDialog open test={test} onAgain={() => ask(asked)} onClose={dismiss} />
    </Suspense>
  );
  return [ask, dialog];
}
