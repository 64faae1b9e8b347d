import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceAccountRecord } from '@/shared/api';
import { serviceAccountPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { ACCOUNTS, type Opened, useAccountColumns } from './service-account-columns';
import { allServiceAccounts, useServiceAccounts } from './service-account-queries';
import { useTokenShown } from './token-shown';
import './authority.css';

const ServiceAccountDrawer = lazy(() => import('./service-account-drawer'));
const RotationDrawer = lazy(() => import('./rotation-drawer'));

const defaults = { search: '', state: '' };
const states: ServiceAccountRecord['state'][] = ['valid', 'expiring', 'expired', 'revoked'];
const keyOf = ({ id }: ServiceAccountRecord) => id;

/** Programs that call the API in a user's name: what they may do, and when their tokens end. */
export default function ServiceAccountsPage() {
  const { t } = useTranslation('authority');
  const may = useMay(ACCOUNTS);
  const state = useTableState();
  const [filter, narrow] = useListFilter('service-accounts', defaults);
  const [open, setOpen] = useState<Opened>();
  const show = useTokenShown();
  const query = useServiceAccounts(state.request, filter);
  const close = () => setOpen(undefined);
  const add = may('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('serviceAccount.add')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('serviceAccount.title')}</h1>
      <DataTable
        label={t('serviceAccount.title')}
        name="service-accounts"
        columns={useAccountColumns(setOpen)}
        list={serviceAccountPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allServiceAccounts(state.request, filter)}
        empty={
          filter.search || filter.state
            ? { title: t('serviceAccount.emptyFiltered') }
            : { title: t('serviceAccount.empty'), hint: t('serviceAccount.emptyHint'), action: add }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('serviceAccount.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('serviceAccount.state')}
              value={filter.state}
              onChange={(chosen) => narrow({ state: chosen })}
              options={[
                { value: '', label: t('serviceAccount.notRevoked') },
                ...states.map((one) => ({ value: one as string, label: t(`serviceAccount.states.${one}`) })),
              ]}
            />
          </>
        }
      />
      <Suspense>
        {open && !open.rotate && <ServiceAccountDrawer edit={open.edit} onToken={show} onClose={close} />}
        {open?.rotate && <RotationDrawer account={open.rotate} onToken={show} onClose={close} />}
      </Suspense>
    </>
  );
}
