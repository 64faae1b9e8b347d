import { Button, Checkbox, Drawer, Space } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CandidateRecord, TableResult } from '@/shared/api';
import { publishPageCandidatesList } from '@/shared/api/lists';
import { bytes } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { useAppendOnlyConfirmed } from '@/shared/ui/append-only';
import { type Column, DataTable, useChosenRows, useTableState } from '@/shared/ui/data-table';
import { Count } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { Tip } from '@/shared/ui/tip';
import { useLeave } from '@/shared/ui/use-leave';
import { useAskToSelect } from '@/shared/widgets/sync/bulk-buttons';
import { type CandidateFilter, matchingCandidates, useCandidates, useTablesAddition } from './queries';
import './publish.css';

interface Props {
  nodeMaster: string;
  /** Called where some could not be added. */
  onResults: (results: readonly TableResult[]) => void;
  onClose: () => void;
}

interface Picked {
  schema: string;
  table: string;
  hasPrimaryKey: boolean;
  hasUniqueKey: boolean;
}

const keyOf = (row: Pick<Picked, 'schema' | 'table'>) => JSON.stringify([row.schema, row.table]);
const isKeyless = (row: Picked) => !row.hasPrimaryKey && !row.hasUniqueKey;
const canSelect = (row: CandidateRecord) => !row.refused;

/** The database's tables that are not published yet, searched, filtered and paged by the server. */
export default function AddDrawer({ nodeMaster, onResults, onClose }: Props) {
  const { t } = useTranslation(['publish', 'common']);
  const isActive = usePageActive();
  const state = useTableState('add-');
  const [filter, setFilter] = useState<CandidateFilter>({ search: '', hasKey: '' });
  const query = useCandidates(nodeMaster, state.request, filter);
  const picked = useChosenRows<Picked>(query.data?.records, keyOf);
  const [full, setFull] = useState(true);
  const [appendOnly, setAppendOnly] = useState(false);
  const confirmed = useAppendOnlyConfirmed();
  const keyless = picked.rows.filter(isKeyless);
  const addition = useTablesAddition(nodeMaster, t('add.title'));
  const askToSelect = useAskToSelect();
  const columns = useColumns();
  const leave = useLeave();
  const isChanged = picked.keys.size > 0;
  useUnsaved(() => isChanged, { kept: true });
  const close = () => leave(isChanged, onClose);
  const chooseAll = async () => picked.add((await matchingCandidates(nodeMaster, filter)).filter(canSelect));
  const narrow = (part: Partial<CandidateFilter>) => {
    setFilter({ ...filter, ...part });
    state.toFirstPage();
  };
  const add = async () => {
    const tables = picked.rows.map((row) => ({
      schema: row.schema,
      table: row.table,
      ...(appendOnly && isKeyless(row) ? { appendOnly } : {}),
    }));
    const results = await addition.mutateAsync({ tables, full });
    const done = results.filter((result) => result.done).length;
    if (done === results.length) notify('success', t('table.added', { count: done }));
    else onResults(results);
    onClose();
  };
  const ask = () =>
    confirmed(appendOnly ? keyless.map(({ schema, table }) => `${schema}.${table}`) : [], add);
  return (
    <Drawer
      title={t('add.title')}
      open={isActive}
      onClose={close}
      size="60%"
      className="table-drawer"
      footer={
        <Space className="drawer-footer" wrap>
          {keyless.length > 0 && (
            <Checkbox checked={appendOnly} onChange={({ target }) => setAppendOnly(target.checked)}>
              {t('common:appendOnly.offerMany')}
            </Checkbox>
          )}
          <Checkbox checked={full} onChange={({ target }) => setFull(target.checked)}>
            {t('add.full')}
          </Checkbox>
          <Button onClick={close}>{t('add.cancel')}</Button>
          <Button
            type="primary"
            loading={addition.isPending}
            // A refusal is answered by the notice that every failed change gets.
            onClick={() => (picked.keys.size === 0 ? askToSelect() : ask().catch(() => undefined))}
          >
            {t('add.publish', { count: picked.keys.size })}
          </Button>
        </Space>
      }
    >
      <DataTable
        label={t('add.title')}
        name="publish-candidates"
        columns={columns}
        list={publishPageCandidatesList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys: picked.keys, onChange: picked.choose, canSelect }}
        empty={{ title: t(filter.search || filter.hasKey ? 'add.emptyFiltered' : 'add.empty') }}
        toolbar={
          <>
            <ListSearch
              label={t('add.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('add.keyFilter')}
              value={filter.hasKey}
              onChange={(hasKey) => narrow({ hasKey })}
              options={[
                { value: '', label: t('add.keyAny') },
                { value: 'yes', label: t('add.keyYes') },
                { value: 'no', label: t('add.keyNo') },
              ]}
            />
            <Button disabled={!query.data?.total} onClick={() => chooseAll().catch(() => undefined)}>
              {t('add.chooseAll', { total: query.data?.total ?? 0 })}
            </Button>
          </>
        }
      />
    </Drawer>
  );
}

function useColumns(): Column<CandidateRecord>[] {
  const { t } = useTranslation('publish');
  return useMemo(
    () => [
      {
        key: 'table',
        title: t('table.name'),
        minWidth: 200,
        essential: true,
        render: ({ schema, table, refused }) => (
          <Tip title={refused || undefined}>
            <span data-failed={refused !== ''}>
              {schema}.{table}
            </span>
          </Tip>
        ),
      },
      {
        key: 'hasPrimaryKey',
        title: t('add.key'),
        width: 120,
        render: (row) =>
          row.hasPrimaryKey ? t('add.primary') : t(row.hasUniqueKey ? 'add.unique' : 'add.keyNo'),
      },
      {
        key: 'estimatedRows',
        title: t('add.rows'),
        width: 110,
        align: 'right',
        render: ({ estimatedRows }) => <Count value={estimatedRows} />,
      },
      {
        key: 'sizeBytes',
        title: t('topic.size'),
        width: 100,
        align: 'right',
        render: ({ sizeBytes }) => bytes(sizeBytes),
      },
      {
        key: 'comment',
        title: t('add.comment'),
        minWidth: 120,
        leaveOut: true,
        render: ({ comment, refused }) => refused || comment,
      },
    ],
    [t],
  );
}
