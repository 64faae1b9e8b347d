import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriverPageRequest, DriverRecord } from '@/shared/api';
import { driverPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { type Opened, useDriverColumns } from './driver-columns';
import { allDrivers, DRIVERS, useDrivers, useKindText, useRules } from './queries';

const AddDrawer = lazy(() => import('./add-drawer'));
const DistributeDrawer = lazy(() => import('./distribute-drawer'));
const HostsDrawer = lazy(() => import('./hosts-drawer'));
const UsersDrawer = lazy(() => import('./users-drawer'));

const defaults = { search: '', kind: '' };
const keyOf = ({ id }: DriverRecord) => id;

/** Drivers that agents fetch and keep on their hosts. */
export default function DriversPage() {
  const { t } = useTranslation('drivers');
  const state = useTableState();
  const [filter, narrow] = useListFilter('drivers', defaults);
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<{ at: Opened; driver: DriverRecord }>();
  const rules = useRules();
  const kindText = useKindText();
  const mayCreate = useMay(DRIVERS)('create');
  const asked: DriverPageRequest = { ...state.request, search: filter.search, kind: filter.kind };
  const query = useDrivers(asked);
  const open = useCallback((at: Opened, driver: DriverRecord) => setOpened({ at, driver }), []);
  const close = () => setOpened(undefined);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <DataTable
        label={t('title')}
        name="drivers"
        columns={useDriverColumns(open)}
        list={driverPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allDrivers(asked)}
        empty={
          filter.search || filter.kind
            ? { title: t('emptyFiltered') }
            : { title: t('empty'), hint: t('emptyHint') }
        }
        toolbar={
          <>
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('kind')}
              value={filter.kind}
              onChange={(kind) => narrow({ kind })}
              options={[
                { value: '', label: t('anyKind') },
                ...(rules.data?.kinds ?? []).map((one) => ({
                  value: one.kind,
                  label: kindText(one.kind, one.label),
                })),
              ]}
            />
            {mayCreate && (
              <Button
                type="primary"
                icon={<UploadOutlined />}
                disabled={!rules.data}
                onClick={() => setAdding(true)}
              >
                {t('add')}
              </Button>
            )}
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense fallback={null}>
        {isAdding && rules.data && <AddDrawer rules={rules.data} onClose={() => setAdding(false)} />}
        {opened?.at === 'hosts' && <HostsDrawer driver={opened.driver} onClose={close} />}
        {opened?.at === 'users' && <UsersDrawer driver={opened.driver} onClose={close} />}
        {opened?.at === 'distribute' && <DistributeDrawer driver={opened.driver} onClose={close} />}
      </Suspense>
    </>
  );
}
