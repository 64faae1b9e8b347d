import { Button, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, localPage, useTableState } from '@/shared/ui/data-table';
import { ColumnsDrawer } from './columns-drawer';
import { hasSchemas, suggestedSchema } from './document';
import {
  findingsOf,
  type LinkDraft,
  noTransforms,
  type PickedTable,
  pickedTables,
  tableKey,
  tablesWithWrongName,
} from './draft';
import { useDraft } from './draft-store';
import { MappingOptions } from './mapping-options';
import { isNameTooLong, MAX_NAME_LENGTH, ruled } from './names';
import { StepFrame } from './step-frame';
import { useWizard } from './wizard-context';

/** Where each table goes and how: names, columns, and what is done with the target before the full load. */
export function MappingStep() {
  const { t } = useTranslation('sync-link');
  const { next } = useWizard();
  const { draft, change } = useDraft();
  const [opened, setOpened] = useState<string>();
  const state = useTableState('mapping-');
  const [search, setSearch] = useState('');
  const page = useMemo(
    () => localPage(pickedTables(draft), state.request, search, (table) => `${table.schema}.${table.table}`),
    [draft, state.request, search],
  );
  const wrong = tablesWithWrongName(draft).length;
  const columns = useColumns(draft, setOpened);
  const table = opened === undefined ? undefined : draft.tables[opened];

  return (
    <StepFrame
      title={t('mapping.title')}
      hint={t('mapping.hint')}
      onNext={next}
      blocked={wrong > 0 ? t('mapping.wrongNames', { count: wrong, maximum: MAX_NAME_LENGTH }) : undefined}
      fill
    >
      <div className="wizard-tables">
        <MappingOptions />
        <DataTable
          label={t('mapping.tables')}
          name="wizard-mapping"
          columns={columns}
          query={page}
          state={state}
          rowKey={tableKey}
          empty={{ title: t('mapping.noMatch') }}
          toolbar={
            <Input.Search
              className="wizard-search"
              placeholder={t('mapping.search')}
              aria-label={t('mapping.search')}
              allowClear
              onSearch={(text) => {
                state.toFirstPage();
                setSearch(text.trim());
              }}
            />
          }
        />
      </div>
      {table && opened !== undefined && (
        <ColumnsDrawer
          key={opened}
          table={table}
          onSave={(part) => change({ tables: { ...draft.tables, [opened]: { ...table, ...part } } })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </StepFrame>
  );
}

function useColumns(draft: LinkDraft, onColumns: (key: string) => void): Column<PickedTable>[] {
  const { t } = useTranslation('sync-link');
  const { source, target, tableNames, findings } = draft;
  return useMemo(
    () => [
      {
        key: 'source',
        of: ['schema', 'table'],
        title: t('mapping.source'),
        minWidth: 220,
        sortable: true,
        essential: true,
        render: (table) => `${table.schema}.${table.table}`,
      },
      ...(hasSchemas(target)
        ? [
            {
              key: 'targetSchema' as const,
              title: t('mapping.targetSchema'),
              minWidth: 180,
              essential: true,
              render: (table: PickedTable) => (
                <NameInput
                  table={table}
                  field="targetSchema"
                  placeholder={suggestedSchema({ source, target }, table.schema)}
                />
              ),
            },
          ]
        : []),
      {
        key: 'targetTable',
        title: t('mapping.targetTable'),
        minWidth: 180,
        essential: true,
        render: (table) => (
          <NameInput table={table} field="targetTable" placeholder={ruled(table.table, tableNames)} />
        ),
      },
      {
        key: 'columns',
        title: t('mapping.columns'),
        width: 240,
        render: (table) => (
          <Button type="link" className="table-reason" onClick={() => onColumns(tableKey(table))}>
            <ColumnsSummary table={table} faults={findingsOf({ findings }, table).length} />
          </Button>
        ),
      },
    ],
    [t, source, target, tableNames, findings, onColumns],
  );
}

/** How many columns go along, whether rows are changed on their way, and what the pre-check has against it. */
function ColumnsSummary({ table, faults }: { table: PickedTable; faults: number }) {
  const { t } = useTranslation('sync-link');
  const { where, targetWhere, masks, added } = table.transforms ?? noTransforms;
  const count = Object.keys(masks).length + added.length + (where ? 1 : 0) + (targetWhere ? 1 : 0);
  return (
    <>
      {table.columns ? t('mapping.someColumns', { count: table.columns.length }) : t('mapping.allColumns')}
      {count > 0 && ` · ${t('mapping.transforms', { count })}`}
      {faults > 0 && (
        <span className="wizard-note-blocking"> · {t('mapping.faults', { count: faults })}</span>
      )}
    </>
  );
}

interface NameInputProps {
  table: PickedTable;
  field: 'targetSchema' | 'targetTable';
  placeholder: string;
}

function NameInput({ table, field, placeholder }: NameInputProps) {
  const { t } = useTranslation('sync-link');
  const { draft, change } = useDraft();
  const value = table[field];
  return (
    <Input
      value={value}
      placeholder={placeholder}
      status={isNameTooLong(value) ? 'error' : undefined}
      aria-label={t(`mapping.${field}Of`, { name: `${table.schema}.${table.table}` })}
      aria-invalid={isNameTooLong(value)}
      spellCheck={false}
      onChange={({ target }) =>
        change({ tables: { ...draft.tables, [tableKey(table)]: { ...table, [field]: target.value } } })
      }
    />
  );
}
