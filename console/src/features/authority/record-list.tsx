import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { DataTable, type DataTableProps, type RowAction } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { confirmDelete, type DeleteProof, type DeleteRequest } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';
import './authority.css';

/** What a list of records is about: its texts, and the menu entry whose operations it takes. */
export interface Kind {
  noun: 'role' | 'tenant';
  menu: string;
}

type Shown<Row> = Pick<DataTableProps<Row>, 'columns' | 'list' | 'query' | 'state' | 'rowKey' | 'loadAll'>;

interface Props<Row> extends Shown<Row> {
  kind: Kind;
  search: string;
  onSearch: (search: string) => void;
  onAdd: () => void;
  /** Further fields to narrow the list by. */
  filters?: ReactNode;
}

/** A searched list with a button that adds to it. */
export function RecordList<Row>({ kind, search, onSearch, onAdd, filters, ...shown }: Props<Row>) {
  const { t } = useTranslation('authority');
  const { noun, menu } = kind;
  const may = useMay(menu);
  return (
    <>
      <h1 className="visually-hidden">{t(`${noun}.title`)}</h1>
      <DataTable
        label={t(`${noun}.title`)}
        name={`${noun}s`}
        {...shown}
        empty={{ title: t(`${noun}.emptyFiltered`) }}
        toolbar={
          <>
            {may('create') && (
              <Button type="primary" icon={<PlusOutlined />} onClick={onAdd}>
                {t(`${noun}.add`)}
              </Button>
            )}
            <ListSearch label={t(`${noun}.search`)} value={search} onSearch={onSearch} />
            {filters}
          </>
        }
      />
    </>
  );
}

/** What can be done with one record, and why it can't be. */
interface Doing {
  edit: () => void;
  cannotEdit?: string | undefined;
  remove: (proof: DeleteProof) => Promise<unknown>;
  dependants: DeleteRequest['dependants'];
  cannotRemove?: string | undefined;
}

/** Edit and delete, as far as the viewer may. Deleting asks first, as the system is configured. */
export function useRecordActions<Row extends { name: string }>(
  { noun, menu }: Kind,
  doing: (row: Row) => Doing,
): (row: Row) => RowAction[] {
  const { t } = useTranslation('authority');
  const may = useMay(menu);
  const refresh = useRefresh();
  const ask = ({ name }: Row, { remove, dependants }: Doing) =>
    confirmDelete({
      title: t(`${noun}.deleteTitle`, { name }),
      content: t(`${noun}.deleteHint`),
      dependants,
      mode: 'post',
      run: async (proof) => {
        await remove(proof).catch(reportFailure('delete'));
        notify('success', t(`${noun}.deleted`, { name }));
        await refresh();
      },
    });
  return (row) => {
    const found = doing(row);
    const actions: (RowAction | false)[] = [
      may('edit') && {
        key: 'edit',
        label: t('action.edit'),
        refused: found.cannotEdit,
        run: found.edit,
      },
      may('delete') && {
        key: 'delete',
        label: t('action.delete'),
        danger: true,
        refused: found.cannotRemove,
        run: () => ask(row, found),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}
