import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeInfo, NodeMoment, PublishedRecord, TableResult } from '@/shared/api';
import { publishPageTablesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { type ReportTotals, useReportTotals } from '@/shared/hooks/use-totals';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { DataTable, useChosenRows, useTableState } from '@/shared/ui/data-table';
import { ListState } from '@/shared/ui/list-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { BulkActionRow } from '@/shared/widgets/sync/bulk-buttons';
import {
  allPublishedTables,
  type TableVerb,
  tableVerbs,
  usePublishedTables,
  useTableAction,
} from './queries';
import { usePublishedColumns } from './table-columns';

// What is opened by few comes when it is opened.
const AddDrawer = lazy(() => import('./add-drawer'));
const ResultsDialog = lazy(() => import('@/shared/widgets/sync/results-dialog'));
const TableDrawer = lazy(() => import('./table-drawer'));

const filterDefaults = { search: '', state: '', current: 1 };
const states = [
  'uninitialized',
  'allowed-to-publish',
  'publishing',
  'incremental-release',
  'publish-failed',
  'no-primary-key',
  'full-topic-expired',
  'publish-stopped',
] as const;
const keyOf = (row: PublishedRecord) => row.id;

interface Props {
  node: NodeInfo;
  /** Takes what the node does and the numbers of its tables, of the same moment as the rows. */
  onTotals: ReportTotals<NodeMoment>;
}

/** The node's tables, live: state, figures, and what can be done with one or many of them. */
export function TablesTab({ node, onTotals }: Props) {
  const { t } = useTranslation('publish');
  const may = useMay('publish');
  const state = useTableState('table-');
  const [filter, setFilter] = useUrlState(filterDefaults, 'table-');
  const query = usePublishedTables(node.id, state.request, filter);
  useReportTotals(query, onTotals);
  const { rows: chosen, keys, choose, clear } = useChosenRows(query.data?.records, keyOf, 'table-');
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<PublishedRecord>();
  const [results, setResults] = useState<readonly TableResult[]>();
  const act = useActions(node.id, setResults);
  const columns = usePublishedColumns(setOpened);
  // Its data still updates, also when the list shows another page.
  const shown = query.data?.records.find(({ id }) => id === opened?.id) ?? opened;
  const narrow = (part: Partial<typeof filter>) => setFilter({ ...part, current: 1 });
  const isOwn = node.linkId === null;
  const add = isOwn && may('edit') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      {t('table.add')}
    </Button>
  );
  const isFiltered = filter.search !== '' || filter.state !== '';
  return (
    <>
      <DataTable
        label={t('table.title')}
        name="published-tables"
        columns={columns}
        list={publishPageTablesList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allPublishedTables(node.id, state.request, filter)}
        selection={isOwn ? { keys, onChange: choose } : undefined}
        empty={
          isFiltered
            ? { title: t('table.emptyFiltered') }
            : { title: t('table.empty'), hint: t('table.emptyHint'), action: add || undefined }
        }
        toolbar={
          <>
            {add}
            {isOwn && <BulkActions rows={chosen} act={act} onDone={clear} />}
            <ListState
              words={{ search: t('table.search'), state: t('table.stateFilter'), any: t('list.anyState') }}
              states={states}
              filter={filter}
              narrow={narrow}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {isAdding && (
          <AddDrawer nodeMaster={node.id} onResults={setResults} onClose={() => setAdding(false)} />
        )}
        {shown && <TableDrawer nodeMaster={node.id} table={shown} onClose={() => setOpened(undefined)} />}
        {results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />}
      </Suspense>
    </>
  );
}

type Act = (verb: TableVerb, rows: readonly PublishedRecord[], onDone: () => void) => void;

/** Asks if something would be lost; then shows each table's outcome unless all went well. */
function useActions(nodeMaster: string, onResults: (results: readonly TableResult[]) => void): Act {
  const { t } = useTranslation('publish');
  const confirm = useConfirmDanger();
  const { mutateAsync } = useTableAction(nodeMaster);
  return useCallback(
    (verb, rows, onDone) => {
      const run = async () => {
        const results = await mutateAsync({ verb, tables: rows.map(({ id }) => id) });
        const done = results.filter((result) => result.done).length;
        if (done === results.length) notify('success', t(`table.done.${verb}`, { count: done }));
        else onResults(results);
        onDone();
      };
      // A refusal is answered by the notice that every failed change gets.
      if (verb === 'retry') run().catch(() => undefined);
      else
        confirm({
          title: t(`table.askTitle.${verb}`, { count: rows.length }),
          content: t(`table.ask.${verb}`),
          action: t(`table.action.${verb}`),
          run,
        });
    },
    [t, confirm, mutateAsync, onResults],
  );
}

interface BulkProps {
  rows: readonly PublishedRecord[];
  act: Act;
  onDone: () => void;
}

function BulkActions(props: BulkProps) {
  const { t } = useTranslation('publish');
  const may = useMay('publish');
  const verbs = tableVerbs.filter((verb) => may(verb === 'withdraw' ? 'edit' : 'operate'));
  return <BulkActionRow {...props} verbs={verbs} labelOf={(verb) => t(`table.action.${verb}`)} />;
}
