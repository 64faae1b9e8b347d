import { Button, Tag } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { datasourcePageTablesList } from '@/shared/api/lists';
import { bytes } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { Count } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { Tip } from '@/shared/ui/tip';
import { matchingTables, type SourceTable, useSourceTables } from '@/shared/widgets/data-source/queries';
import { type LinkDraft, type PickedTable, tableKey } from './draft';
import { useDraft } from './draft-store';
import { type KeyFilter, useTableFilter } from './table-filter';

interface Props {
  onChooseKey: (table: PickedTable) => void;
}

function picked(row: SourceTable): PickedTable {
  return {
    schema: row.schema,
    table: row.table,
    hasKey: row.hasPrimaryKey || row.hasUniqueKey,
    targetSchema: '',
    targetTable: '',
    key: [],
    columns: undefined,
  };
}

/** The draft's tables after the boxes of `rows` were set so that exactly `keys` remain. Known choices are kept. */
function pickedAfter(draft: LinkDraft, keys: ReadonlySet<string>, rows: readonly SourceTable[]) {
  const kept = Object.entries(draft.tables).filter(([key]) => keys.has(key));
  const added = rows
    .filter((row) => keys.has(tableKey(row)) && !draft.tables[tableKey(row)])
    .map((row) => [tableKey(row), picked(row)] as const);
  return Object.fromEntries([...kept, ...added]);
}

const canSelect = (row: SourceTable) => !row.refused;

/** The source's tables, searched, filtered and paged by the server. */
export function TablePicker({ onChooseKey }: Props) {
  const { t } = useTranslation('sync-link');
  const { draft, change } = useDraft();
  const state = useTableState('tables-');
  const [filter, narrow] = useTableFilter();
  const query = useSourceTables(draft.source, state.request, filter);
  const columns = useColumns(draft, onChooseKey);
  const keys = useMemo(() => new Set(Object.keys(draft.tables)), [draft.tables]);
  const onChange = (chosen: ReadonlySet<string>) =>
    change({ tables: pickedAfter(draft, chosen, query.data?.records ?? []) });

  return (
    <DataTable
      label={t('tables.title')}
      name="wizard-tables"
      columns={columns}
      list={datasourcePageTablesList}
      query={query}
      state={state}
      rowKey={tableKey}
      selection={{ keys, onChange, canSelect }}
      empty={{
        title: t('tables.empty'),
        hint:
          filter.search || filter.schema || filter.hasKey ? t('tables.emptyFiltered') : t('tables.emptyHint'),
      }}
      toolbar={
        <>
          <ListSearch
            label={t('tables.search')}
            value={filter.search}
            onSearch={(search) => narrow({ search })}
          />
          <ListChoice<KeyFilter>
            label={t('tables.keyFilter')}
            value={filter.hasKey as KeyFilter}
            onChange={(hasKey) => narrow({ hasKey })}
            options={[
              { value: '', label: t('tables.keyAny') },
              { value: 'yes', label: t('tables.keyYes') },
              { value: 'no', label: t('tables.keyNo') },
            ]}
          />
          <ChooseMatching total={query.data?.total} />
        </>
      }
    />
  );
}

/** Chooses every table that the filter matches, on all pages; refused ones are left out and counted. */
function ChooseMatching({ total }: { total: number | undefined }) {
  const { t } = useTranslation('sync-link');
  const { draft, change } = useDraft();
  const [filter] = useTableFilter();
  const [isBusy, setBusy] = useState(false);
  const choose = async () => {
    setBusy(true);
    try {
      const rows = await matchingTables(draft.source, filter);
      const open = rows.filter(canSelect);
      const keys = new Set([...Object.keys(draft.tables), ...open.map(tableKey)]);
      change({ tables: pickedAfter(draft, keys, open) });
      const refused = rows.length - open.length;
      notify(
        'info',
        refused > 0
          ? t('tables.chosenSome', { count: open.length, refused })
          : t('tables.chosen', { count: open.length }),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button onClick={choose} loading={isBusy} disabled={!total}>
      {t('tables.chooseAll', { total: total ?? 0 })}
    </Button>
  );
}

function useColumns(draft: LinkDraft, onChooseKey: Props['onChooseKey']): Column<SourceTable>[] {
  const { t } = useTranslation('sync-link');
  const { tables } = draft;
  return useMemo(
    () => [
      {
        key: 'table',
        title: t('tables.table'),
        minWidth: 180,
        essential: true,
        render: (row) => (
          <Tip title={row.refused || undefined}>
            <span>
              {row.schema}.{row.table} {row.refused && <Tag color="red">{t('tables.refused')}</Tag>}
            </span>
          </Tip>
        ),
      },
      {
        key: 'key',
        of: ['hasPrimaryKey', 'hasUniqueKey'],
        title: t('tables.key'),
        width: 170,
        render: (row) => <KeyCell row={row} chosen={tables[tableKey(row)]} onChooseKey={onChooseKey} />,
      },
      {
        key: 'estimatedRows',
        title: t('tables.rows'),
        width: 120,
        align: 'right',
        render: (row) => <Count value={row.estimatedRows} />,
      },
      {
        key: 'sizeBytes',
        title: t('tables.size'),
        width: 110,
        align: 'right',
        render: (row) => bytes(row.sizeBytes),
      },
      {
        key: 'comment',
        title: t('tables.comment'),
        minWidth: 120,
        render: (row) => (row.refused ? row.refused : row.comment),
      },
    ],
    [t, tables, onChooseKey],
  );
}

interface KeyCellProps {
  row: SourceTable;
  chosen: PickedTable | undefined;
  onChooseKey: Props['onChooseKey'];
}

function KeyCell({ row, chosen, onChooseKey }: KeyCellProps) {
  const { t } = useTranslation(['sync-link', 'common']);
  if (row.refused) return <span>–</span>;
  if (row.hasPrimaryKey) return <span>{t('tables.primaryKey')}</span>;
  if (row.hasUniqueKey) return <span>{t('tables.uniqueKey')}</span>;
  if (!chosen) return <span>{t('tables.noKey')}</span>;
  return (
    <Button
      type="link"
      className="table-reason"
      danger={chosen.key.length === 0 && !chosen.appendOnly}
      onClick={() => onChooseKey(chosen)}
    >
      {chosen.appendOnly ? t('common:appendOnly.tag') : chosen.key.join(', ') || t('tables.chooseKey')}
    </Button>
  );
}
