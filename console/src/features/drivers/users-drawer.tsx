import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriverRecord, DriverUser } from '@/shared/api';
import { driverPageUsersList } from '@/shared/api/lists';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { allUsers, useUsers } from './queries';

interface Props {
  driver: DriverRecord;
  onClose: () => void;
}

const keyOf = ({ use, name, place }: DriverUser) => `${use}/${name}/${place}`;

/** Which connections take a driver. */
export default function UsersDrawer({ driver, onClose }: Props) {
  const { t } = useTranslation('drivers');
  const state = useTableState('users');
  const [search, setSearch] = useState('');
  const asked = { ...state.request, id: driver.id, search };
  const query = useUsers(asked);
  const columns = useMemo<Column<DriverUser>[]>(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('connection'),
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
      { key: 'place', type: 'text', title: t('place'), minWidth: 180, text: ({ place }) => place },
      {
        key: 'named',
        type: 'text',
        title: t('choice'),
        width: 190,
        text: ({ named }) => t(named ? 'byName' : 'byKind'),
      },
    ],
    [t],
  );
  return (
    <Drawer open size="50%" title={t('usersTitle', { name: driver.name })} onClose={onClose}>
      <DataTable
        label={t('usersTitle', { name: driver.name })}
        name="driver-users"
        columns={columns}
        list={driverPageUsersList}
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
