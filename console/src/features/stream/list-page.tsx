import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { StreamQueryRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import type { Column } from '@/shared/ui/data-table';
import { customer, figure, first, inputs, moment, span, useWords } from './columns';
import { MENU } from './queries';
import { StreamQueryList } from './stream-query-list';
import { useActions } from './use-actions';

const StreamQueryDrawer = lazy(() => import('./stream-query-drawer'));

/** Stream queries: SELECTs over published tables whose results are kept up to date in tables. */
export default function StreamPage() {
  const { t } = useWords();
  const may = useMay(MENU);
  const [opened, setOpened] = useState<{ edited?: StreamQueryRecord }>();
  const columns = useColumns(setOpened);
  const create = may('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpened({})}>
      {t('create')}
    </Button>
  );
  return (
    <>
      <StreamQueryList place="masters" name="computations" columns={columns} create={create} />
      <Suspense>
        {opened && <StreamQueryDrawer edited={opened.edited} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  );
}

function useColumns(open: (opened: { edited: StreamQueryRecord }) => void): Column<StreamQueryRecord>[] {
  const { t } = useWords();
  const actions = useActions(open);
  return useMemo(
    () => [
      ...first(t),
      { ...customer(t), leaveOut: true },
      inputs(t, false),
      figure(t, 'rows'),
      span(t, 'lagMs'),
      moment(t, 'computedAt', { leaveOut: true }),
      { ...span(t, 'computedMs'), leaveOut: true },
      moment(t, 'createdAt', { leaveOut: true }),
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 150,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions,
      },
    ],
    [t, actions],
  );
}
