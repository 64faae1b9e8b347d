import { Button, Drawer, Space } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type PolicyCandidate, policyAddTables } from '@/shared/api';
import { policyPageCandidatesList } from '@/shared/api/lists';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { usePageActive } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { type Column, DataTable, useOwnTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { useLeave } from '@/shared/ui/use-leave';
import { allCandidates, useCandidates, useRefresh } from './queries';

const keyOf = ({ name }: PolicyCandidate) => name;

/** What the policy's node publishes and its draft has not, searched and paged by the server. */
export default function AddTablesDrawer({ policy, onClose }: { policy: string; onClose: () => void }) {
  const { t } = useTranslation('policy');
  const isActive = usePageActive();
  const state = useOwnTableState();
  const [search, setSearch] = useState('');
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [isSaving, setSaving] = useState(false);
  const query = useCandidates(policy, search, state.request);
  const refresh = useRefresh();
  const leave = useLeave();
  const columns = useMemo<Column<PolicyCandidate>[]>(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('table'),
        minWidth: 200,
        essential: true,
        length: 100,
        text: ({ name }) => name,
      },
    ],
    [t],
  );
  useUnsaved(() => picked.size > 0, { kept: true });
  const close = () => leave(picked.size > 0, onClose);
  const chooseAll = async () => {
    const rows = await allCandidates(policy, search);
    setPicked(new Set([...picked, ...rows.map(keyOf)]));
  };
  const add = async () => {
    setSaving(true);
    try {
      await call(policyAddTables({ body: { id: policy, tables: [...picked] } })).catch(
        reportFailure('submit'),
      );
      notify('success', t('tablesAdded', { count: picked.size }));
      await refresh();
      onClose();
    } finally {
      setSaving(false);
    }
  };
  return (
    <Drawer
      title={t('addTables')}
      open={isActive}
      onClose={close}
      size="50%"
      className="table-drawer"
      footer={
        <Space className="drawer-footer">
          <Button onClick={close}>{t('cancel')}</Button>
          <RefusableButton
            type="primary"
            refused={picked.size === 0 ? t('chooseTables') : undefined}
            loading={isSaving}
            onClick={() => add().catch(() => undefined)}
          >
            {t('addCount', { count: picked.size })}
          </RefusableButton>
        </Space>
      }
    >
      <DataTable
        label={t('candidates')}
        name="policy-candidates"
        columns={columns}
        list={policyPageCandidatesList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys: picked, onChange: setPicked }}
        empty={
          search ? { title: t('emptyFiltered') } : { title: t('noCandidates'), hint: t('noCandidatesHint') }
        }
        toolbar={
          <>
            <ListSearch
              label={t('searchTable')}
              value={search}
              onSearch={(wanted) => {
                setSearch(wanted);
                state.toFirstPage();
              }}
            />
            <Button disabled={!query.data?.total} onClick={() => chooseAll().catch(() => undefined)}>
              {t('chooseAll', { total: query.data?.total ?? 0 })}
            </Button>
          </>
        }
      />
    </Drawer>
  );
}
