import { Button, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { ColumnsDrawer } from './columns-drawer';
import { suggestedSchema } from './document';
import { type LinkDraft, type PickedTable, pickedTables, tableKey, tablesWithWrongName } from './draft';
import { useDraft } from './draft-store';
import { localPage } from './local-page';
import { MappingOptions } from './mapping-options';
import { isNameTooLong, LONGEST_NAME } from './names';
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
      blocked={wrong > 0 ? t('mapping.wrongNames', { count: wrong, maximum: LONGEST_NAME }) : undefined}
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
          onSave={(columns) => change({ tables: { ...draft.tables, [opened]: { ...table, columns } } })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </StepFrame>
  );
}

function useColumns(draft: LinkDraft, onColumns: (key: string) => void): Column<PickedTable>[] {
  const { t } = useTranslation('sync-link');
  const { source, target } = draft;
  return useMemo(
    () => [
      {
        key: 'source',
        title: t('mapping.source'),
        minWidth: 220,
        sortable: true,
        essential: true,
        render: (table) => `${table.schema}.${table.table}`,
      },
      {
        key: 'targetSchema',
        title: t('mapping.targetSchema'),
        minWidth: 180,
        essential: true,
        render: (table) => (
          <NameInput
            table={table}
            field="targetSchema"
            placeholder={suggestedSchema({ source, target }, table.schema)}
          />
        ),
      },
      {
        key: 'targetTable',
        title: t('mapping.targetTable'),
        minWidth: 180,
        essential: true,
        render: (table) => <NameInput table={table} field="targetTable" placeholder={table.table} />,
      },
      {
        key: 'columns',
        title: t('mapping.columns'),
        width: 180,
        render: (table) => (
          <Button type="link" onClick={() => onColumns(tableKey(table))}>
            {table.columns
              ? t('mapping.someColumns', { count: table.columns.length })
              : t('mapping.allColumns')}
          </Button>
        ),
      },
    ],
    [t, source, target, onColumns],
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
