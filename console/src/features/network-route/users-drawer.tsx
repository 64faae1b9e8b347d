import { Alert, Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RouteRecord, RouteUser } from '@/shared/api';
import { networkRoutePageUsersList } from '@/shared/api/lists';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { allUsers, useUsers } from './queries';
import './network-route.css';

interface Props {
  route: RouteRecord;
  /** Opened because the route cannot be deleted. */
  isRefused: boolean;
  onClose: () => void;
}

const keyOf = ({ use, name, place }: RouteUser) => `${use}/${name}/${place}`;

/** Which connections take a route. */
export default function UsersDrawer({ route, isRefused, onClose }: Props) {
  const { t } = useTranslation('network-route');
  const state = useTableState('users');
  const [search, setSearch] = useState('');
  const asked = { ...state.request, id: route.id, search };
  const query = useUsers(asked);
  const columns = useMemo<Column<RouteUser>[]>(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 130,
        essential: true,
        text: ({ name }) => name,
      },
      {
        key: 'use',
        type: 'text',
        title: t('use'),
        width: 120,
        text: ({ use }) => t(`uses.${use as 'publish'}`),
      },
      { key: 'kind', type: 'text', title: t('dataKind'), width: 120, text: ({ kind }) => kind },
      { key: 'place', type: 'text', title: t('place'), minWidth: 180, text: ({ place }) => place },
    ],
    [t],
  );
  return (
    <Drawer
      open
      size="50%"
      title={isRefused ? t('deleteUsed', { name: route.name }) : t('usersOf', { name: route.name })}
      onClose={onClose}
    >
      {isRefused && (
        <Alert
          type="warning"
          showIcon
          title={t('deleteUsedHint', { count: route.users })}
          className="network-route-note"
        />
      )}
      <DataTable
        label={t('usersOf', { name: route.name })}
        name="network-route-users"
        columns={columns}
        list={networkRoutePageUsersList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allUsers(asked)}
        empty={{ title: search ? t('emptyFiltered') : t('noUsers') }}
        toolbar={<ListSearch label={t('searchUser')} value={search} onSearch={setSearch} />}
      />
    </Drawer>
  );
}
