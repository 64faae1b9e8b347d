import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReceiverPageRequest, ReceiverRecord } from '@/shared/api';
import { notificationPageReceiversList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { ways } from './looks';
import { allReceivers, MESSAGES, useReceivers } from './queries';
import { useReceiverColumns } from './receiver-columns';

const ReceiverDrawer = lazy(() => import('./receiver-drawer'));

const defaults = { search: '', way: '' };
const keyOf = ({ id }: ReceiverRecord) => id;

/** Who is notified, by which way, of what. */
export function ReceiversTab() {
  const { t } = useTranslation('notification');
  const state = useTableState('receivers');
  const [filter, narrow] = useListFilter('notice-receivers', defaults, 'receivers');
  const [open, setOpen] = useState<{ edit?: ReceiverRecord }>();
  const asked: ReceiverPageRequest = {
    ...state.request,
    search: filter.search,
    way: (filter.way || null) as ReceiverRecord['way'] | null,
  };
  const query = useReceivers(asked);
  const add = useMay(MESSAGES)('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <DataTable
        label={t('receivers')}
        name="notice-receivers"
        columns={useReceiverColumns((edit) => setOpen({ edit }))}
        list={notificationPageReceiversList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allReceivers(asked)}
        empty={
          filter.search || filter.way
            ? { title: t('emptyFiltered') }
            : { title: t('noReceivers'), hint: t('noReceiversHint'), action: add || undefined }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('searchReceiver')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('way')}
              value={filter.way}
              onChange={(wanted) => narrow({ way: wanted })}
              options={[
                { value: '', label: t('anyWay') },
                ...ways.map((value) => ({ value: value as string, label: t(`ways.${value}`) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>{open && <ReceiverDrawer edit={open.edit} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}
