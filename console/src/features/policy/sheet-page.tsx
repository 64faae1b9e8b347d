import { PlusOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type PolicyTableRecord, policyRemoveTables } from '@/shared/api';
import { policyPageSheetList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type Column, DataTable, type RowAction, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { LookMark } from '@/shared/ui/state-tag';
import { allTables, DEFINE, usePolicyChoice, useRefresh, useSheet, useVersionChoice } from './queries';

const AddTablesDrawer = lazy(() => import('./add-tables-drawer'));
const TableDrawer = lazy(() => import('./table-drawer'));

const defaults = { policy: '', version: 0, search: '' };
const keyOf = ({ name }: PolicyTableRecord) => name;

/** The data sheet of a policy: the tables of its draft, which can be changed, and of its versions. */
export default function SheetPage() {
  const { t } = useTranslation('policy');
  const [{ policy, version, search }, change] = useUrlState(defaults);
  const state = useTableState();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<{ edit?: PolicyTableRecord }>();
  const may = useMay(DEFINE);
  const shown = version === 0 ? null : version;
  const query = useSheet(policy, shown, search, state.request);
  const remove = useRemoval(policy, () => setPicked(new Set()));
  const isDraft = policy !== '' && shown === null;
  const mayEdit = isDraft && may('edit');
  const narrow = (part: Partial<typeof defaults>) => {
    setPicked(new Set());
    change(part);
    state.toFirstPage();
  };
  const add = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('addTables')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('sheet')}</h1>
      <DataTable
        label={t('sheet')}
        name="policy-sheet"
        columns={useColumns({ mayEdit, onEdit: (edit) => setOpen({ edit }), onRemove: remove })}
        list={policyPageSheetList}
        query={policy === '' ? { ...query, data: { records: [], total: 0 } } : query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allTables(policy, shown, search)}
        {...(mayEdit ? { selection: { keys: picked, onChange: setPicked } } : {})}
        empty={
          policy === ''
            ? { title: t('choosePolicy') }
            : search
              ? { title: t('emptyFiltered') }
              : { title: t('noTables'), hint: t('noTablesHint'), action: add || undefined }
        }
        toolbar={
          <>
            <Places policy={policy} version={version} onChange={narrow} />
            {add}
            {mayEdit && picked.size > 0 && (
              <Button danger onClick={() => remove([...picked])}>
                {t('removeCount', { count: picked.size })}
              </Button>
            )}
            <ListSearch
              label={t('searchTable')}
              value={search}
              onSearch={(wanted) => narrow({ search: wanted })}
            />
          </>
        }
      />
      <Suspense>
        {open && !open.edit && <AddTablesDrawer policy={policy} onClose={() => setOpen(undefined)} />}
        {open?.edit && <TableDrawer policy={policy} edit={open.edit} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

interface PlacesProps {
  policy: string;
  version: number;
  onChange: (place: { policy?: string; version?: number }) => void;
}

/** Which policy, and which of its versions. */
function Places({ policy, version, onChange }: PlacesProps) {
  const { t } = useTranslation('policy');
  const policies = usePolicyChoice();
  const versions = useVersionChoice(policy);
  return (
    <>
      <Select
        aria-label={t('policy')}
        placeholder={t('choosePolicy')}
        value={policy || null}
        showSearch={{ optionFilterProp: 'label' }}
        loading={policies.isPending}
        onChange={(chosen: string) => onChange({ policy: chosen, version: 0 })}
        options={policies.data?.records.map(({ id, productName }) => ({ value: id, label: productName }))}
        popupMatchSelectWidth={false}
      />
      <Select
        aria-label={t('version')}
        value={version}
        disabled={policy === ''}
        onChange={(chosen: number) => onChange({ version: chosen })}
        options={[
          { value: 0, label: t('draft') },
          ...(versions.data?.records.map(({ number }) => ({
            value: number,
            label: t('versionNumber', { number }),
          })) ?? []),
        ]}
        popupMatchSelectWidth={false}
      />
    </>
  );
}

interface Acts {
  mayEdit: boolean;
  onEdit: (table: PolicyTableRecord) => void;
  onRemove: (names: string[]) => void;
}

function useColumns({ mayEdit, onEdit, onRemove }: Acts): Column<PolicyTableRecord>[] {
  const { t } = useTranslation('policy');
  return useMemo<Column<PolicyTableRecord>[]>(() => {
    const actions = (one: PolicyTableRecord): RowAction[] => [
      { key: 'edit', label: t('edit'), run: () => onEdit(one) },
      { key: 'remove', label: t('remove'), danger: true, run: () => onRemove([one.name]) },
    ];
    const text = (
      key: string,
      title: string,
      written: (one: PolicyTableRecord) => string,
    ): Column<PolicyTableRecord> => ({
      key,
      of: ['table'],
      type: 'text',
      title,
      minWidth: 100,
      length: 60,
      text: written,
    });
    return [
      {
        key: 'name',
        type: 'text',
        title: t('table'),
        minWidth: 150,
        essential: true,
        length: 80,
        text: ({ name }) => name,
      },
      {
        key: 'published',
        title: t('published'),
        width: 120,
        text: ({ published }) => t(published ? 'isPublished' : 'notPublished'),
        render: ({ published }) => (
          <LookMark
            look={published ? 'good' : 'warning'}
            label={t(published ? 'isPublished' : 'notPublished')}
          />
        ),
      },
      text('target', t('target'), ({ table }) => targetOf(table) || t('byRule')),
      text('columns', t('columns'), ({ table }) => table.columns?.join(', ') || t('allColumns')),
      text('where', t('where'), ({ table }) => table.where ?? ''),
      { ...text('targetWhere', t('targetWhere'), ({ table }) => table.targetWhere ?? ''), leaveOut: true },
      text('rules', t('rules'), ({ table }) =>
        (table.rules ?? []).map(({ column, kind }) => `${column}: ${t(`kinds.${kind}`)}`).join(', '),
      ),
      {
        key: 'ddl',
        of: ['table'],
        title: t('ddl'),
        width: 110,
        text: ({ table }) => (table.ddl ? t(`ddls.${table.ddl}`) : t('asPolicy')),
        render: ({ table }) => (table.ddl ? t(`ddls.${table.ddl}`) : t('asPolicy')),
      },
      ...(mayEdit
        ? [
            {
              key: 'actions',
              type: 'options' as const,
              title: t('actions'),
              width: 120,
              fixed: 'right' as const,
              essential: true,
              shown: 2,
              actions,
            },
          ]
        : []),
    ];
  }, [t, mayEdit, onEdit, onRemove]);
}

function targetOf({ targetSchema, targetTable }: PolicyTableRecord['table']): string {
  return [targetSchema, targetTable].filter(Boolean).join('.');
}

function useRemoval(policy: string, onDone: () => void): (names: string[]) => void {
  const { t } = useTranslation('policy');
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  return (names) =>
    confirm({
      title: t('removeTitle', { count: names.length, name: names[0] }),
      content: t('removeHint'),
      action: t('remove'),
      run: async () => {
        await call(policyRemoveTables({ body: { id: policy, tables: names } })).catch(
          reportFailure('modify'),
        );
        notify('success', t('removed', { count: names.length }));
        onDone();
        await refresh();
      },
    });
}
