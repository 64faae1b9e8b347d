import { Button } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord, TaskTotals } from '@/shared/api';
import { syncTaskPageTablesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { type ReportTotals, useReportTotals } from '@/shared/hooks/use-totals';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DataTable, type RowAction, useChosenRows, useTableState } from '@/shared/ui/data-table';
import { ListState } from '@/shared/ui/list-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { allowing, BulkActionRow } from './bulk-buttons';
import { useSetLimits } from './errors/queries';
import { furtherTableVerbs, type TableVerb, tableVerbs, useIncrementalCalls, useTaskTables } from './queries';
import type { TableResult } from './results-dialog';
import { useTableColumns } from './table-columns';
import { useAcceptGaps, useTableActions } from './use-table-actions';

// What is opened by few comes when it is opened.
const MetricsDrawer = lazy(() => import('@/shared/widgets/metrics/metrics-drawer'));
const LimitsDrawer = lazy(() => import('./errors/limits-drawer'));
const IncrementalDialog = lazy(() => import('./incremental-dialog'));
const NewTablesDialog = lazy(() => import('./new-tables-dialog'));
const ReasonDialog = lazy(() => import('./reason-dialog'));
const ResultsDialog = lazy(() => import('./results-dialog'));

/** A narrower list begins at its first page, in the same change of the address. */
const filterDefaults = { search: '', state: '', current: 1 };

const states = [
  'uninitialized',
  'full-allowed',
  'full-running',
  'full-finished',
  'incremental-allowed',
  'incremental-running',
  'suspended',
  'error',
  'full-error',
  'full-info-expired',
  'table-locked',
  'incremental-error',
] as const;

interface Props {
  taskId: string;
  linkId: string;
  /** Shows what the target refused of one table. Keep it the same between renders. */
  onErrors?: (table: TaskTableRecord) => void;
  /** Takes what the task's link does and figures of all its tables, of the same moment as the rows. */
  onTotals?: ReportTotals<TaskTotals>;
}

const keyOf = (row: TaskTableRecord) => row.id;

/** The tables of one task, live: state, progress, figures, and what can be done with one or several of them. */
export function TableList({ taskId, linkId, onErrors, onTotals }: Props) {
  const { t } = useTranslation('sync');
  const may = useMay('sync-link');
  const state = useTableState('table-');
  const [filter, setFilter] = useUrlState(filterDefaults, 'table-');
  const query = useTaskTables(taskId, state.request, filter);
  useReportTotals(query, onTotals);
  const { rows: chosen, keys, choose, clear } = useChosenRows(query.data?.records, keyOf, 'table-');
  const [explained, setExplained] = useState<TaskTableRecord>();
  const [beginning, setBeginning] = useState<readonly TaskTableRecord[]>();
  const [widening, setWidening] = useState(false);
  const [measured, setMeasured] = useState<TaskTableRecord>();
  const [limited, setLimited] = useState<readonly TaskTableRecord[]>();
  const [results, setResults] = useState<readonly TableResult[]>();
  const simple = useTableActions(linkId, setResults);
  const incremental = useIncrementalCalls(linkId);
  const setLimits = useSetLimits(linkId);
  const acceptAll = useAcceptGaps(linkId);
  const act = useCallback(
    (verb: TableVerb, rows: readonly TaskTableRecord[], onDone?: () => void) =>
      verb === 'start-incremental' ? setBeginning(rows) : simple(verb, rows, onDone),
    [simple],
  );
  const columns = useTableColumns({
    act: may('operate') ? act : undefined,
    explain: setExplained,
    openErrors: onErrors,
    measure: setMeasured,
  });
  const narrow = (part: Partial<typeof filter>) => setFilter({ ...part, current: 1 });
  return (
    <>
      <DataTable
        label={t('table.title')}
        name="sync-tables"
        columns={columns}
        list={syncTaskPageTablesList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={may('operate') || may('edit') ? { keys, onChange: choose } : undefined}
        empty={{
          title: filter.search || filter.state ? t('table.emptyFiltered') : t('table.empty'),
          hint: filter.search || filter.state ? undefined : t('table.emptyHint'),
        }}
        toolbar={
          <>
            <BulkActions rows={chosen} act={act} onLimits={setLimited} onDone={clear} />
            <ListState
              words={{ search: t('table.search'), state: t('table.stateFilter'), any: t('table.anyState') }}
              states={states}
              filter={filter}
              narrow={narrow}
            />
          </>
        }
        extra={
          <>
            {may('edit') && <Button onClick={() => setWidening(true)}>{t('table.new.open')}</Button>}
            <LiveMark query={query} />
          </>
        }
      />
      <Suspense>
        {beginning && (
          <IncrementalDialog
            tables={beginning}
            {...incremental(beginning)}
            onResults={setResults}
            onClose={() => setBeginning(undefined)}
          />
        )}
        {results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />}
        {widening && <NewTablesDialog linkId={linkId} onClose={() => setWidening(false)} />}
        {limited && (
          <LimitsDrawer
            set={setLimits}
            tables={limited}
            onResults={setResults}
            onClose={() => setLimited(undefined)}
          />
        )}
        {measured && (
          <MetricsDrawer
            kind="table"
            id={measured.id}
            name={measured.source}
            onClose={() => setMeasured(undefined)}
          />
        )}
        {explained && (
          <ReasonDialog
            table={explained}
            link={linkId}
            acceptAll={acceptAll}
            act={may('operate') ? act : undefined}
            onClose={() => setExplained(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

interface BulkProps {
  rows: readonly TaskTableRecord[];
  act: (verb: TableVerb, rows: readonly TaskTableRecord[], onDone?: () => void) => void;
  onLimits: (rows: readonly TaskTableRecord[]) => void;
  onDone: () => void;
}

function BulkActions({ rows, act, onLimits, onDone }: BulkProps) {
  const { t } = useTranslation('sync');
  const may = useMay('sync-link');
  const further = (verb: TableVerb): RowAction => {
    const possible = allowing(rows, verb);
    return {
      key: verb,
      label: t(`table.action.${verb}`),
      refused: possible.length > 0 ? undefined : t('table.noneAllows'),
      run: () => act(verb, possible, onDone),
    };
  };
  return (
    <BulkActionRow
      rows={rows}
      verbs={may('operate') ? tableVerbs : []}
      labelOf={(verb) => t(`table.action.${verb}`)}
      act={act}
      onDone={onDone}
      further={[
        ...(may('operate') ? furtherTableVerbs.map(further) : []),
        ...(may('edit') ? [{ key: 'limits', label: t('table.limits'), run: () => onLimits(rows) }] : []),
      ]}
    />
  );
}
