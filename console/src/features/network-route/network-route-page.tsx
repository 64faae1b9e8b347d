import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoutePageRequest, RouteRecord } from '@/shared/api';
import { networkRoutePageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { allRoutes, NETWORK, useRoutes } from './queries';
import { useRouteColumns } from './route-columns';

const RouteDrawer = lazy(() => import('./route-drawer'));
const UsersDrawer = lazy(() => import('./users-drawer'));

const defaults = { search: '' };
const keyOf = ({ id }: RouteRecord) => id;

type Opened = { at: 'form' | 'users' | 'refused'; route?: RouteRecord } | undefined;

/** By which ways servers are reached that the hosts do not reach by themselves. */
export default function NetworkRoutePage() {
  const { t } = useTranslation('network-route');
  const state = useTableState();
  const [filter, narrow] = useListFilter('network-routes', defaults);
  const [opened, setOpened] = useState<Opened>();
  const asked: RoutePageRequest = { ...state.request, search: filter.search };
  const query = useRoutes(asked);
  const columns = useRouteColumns((at, route) => setOpened({ at, route }));
  const add = useMay(NETWORK)('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpened({ at: 'form' })}>
      {t('add')}
    </Button>
  );
  const close = () => setOpened(undefined);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <DataTable
        label={t('routes')}
        name="network-routes"
        columns={columns}
        list={networkRoutePageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allRoutes(asked)}
        empty={
          filter.search
            ? { title: t('emptyFiltered') }
            : { title: t('noRoutes'), hint: t('noRoutesHint'), action: add || undefined }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('searchRoute')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {opened?.at === 'form' && <RouteDrawer edit={opened.route} onClose={close} />}
        {opened?.route && opened.at !== 'form' && (
          <UsersDrawer route={opened.route} isRefused={opened.at === 'refused'} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
