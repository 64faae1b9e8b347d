import { Tag } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { SheetRecord } from '@/shared/api';
import { subscribePageSheetList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DataTable, useChosenRows, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { useStateLabel } from '@/shared/ui/state-tag';
import { ERROR_PREFIX } from '@/shared/widgets/sync/errors/queries';
import type { TableVerb } from '@/shared/widgets/sync/queries';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';
import { useAudience, useWords } from './audience';
import { SubscribeNav } from './frame';
import { useIncrementalCalls, useSheet, wholeSheet } from './queries';
import { type Act, BulkActions, type Opened } from './sheet-actions';
import { useSheetColumns } from './sheet-columns';
import { useComparison } from './use-comparison';
import { useRepairOutcomes } from './use-repair-outcomes';
import type { ResultHandlers } from './use-report-results';
import { useSetSheetLimits, useSheetActions } from './use-sheet-actions';
import '@/shared/widgets/sync/sync.css';

// What is opened by few comes when it is opened.
const ComparisonDrawer = lazy(() => import('./comparison-drawer'));
const CleanDrawer = lazy(() => import('./clean-drawer'));
const ErrorsDrawer = lazy(() => import('./errors-drawer'));
const IncrementalDialog = lazy(() => import('@/shared/widgets/sync/incremental-dialog'));
const LimitsDrawer = lazy(() => import('@/shared/widgets/sync/errors/limits-drawer'));
const ReasonDialog = lazy(() => import('@/shared/widgets/sync/reason-dialog'));
const ResultsDialog = lazy(() => import('@/shared/widgets/sync/results-dialog'));
const OwnerChoice = lazy(() => import('./owner-choice'));
const RebalanceDialog = lazy(() => import('./rebalance-dialog'));
const RulesDrawer = lazy(() => import('./rules-drawer'));
const TableDrawer = lazy(() => import('./table-drawer'));
const ThreadsDrawer = lazy(() => import('./threads-drawer'));
const TransferDialog = lazy(() => import('./transfer-dialog'));

/** A narrower list begins at its first page, in the same change of the address. */
const filterDefaults = { search: '', state: '', customer: '', control: '', channel: '', current: 1 };
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
const keyOf = ({ id }: SheetRecord) => id;
type Row = SheetRecord;

/** The data sheet: subscribed tables with everything that is known of them, and all that can be asked of them. */
export default function SheetPage() {
  const { t } = useWords();
  const label = useStateLabel();
  const { clientType } = useAudience();
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const query = useSheet(state.request, filter);
  const { rows: chosen, keys, choose, clear } = useChosenRows<Row>(query.data?.records, keyOf, '');
  const [opened, setOpened] = useState<Opened>();
  const [results, setResults] = useState<readonly TableResult[]>();
  const simple = useSheetActions(setResults);
  const compare = useComparison(setResults);
  useRepairOutcomes();
  const act = useCallback(
    (verb: TableVerb, rows: readonly Row[], onDone?: () => void) =>
      verb === 'start-incremental' ? setOpened({ kind: 'begin', rows }) : simple(verb, rows, onDone),
    [simple],
  );
  const [errorsOf, showErrors] = useErrorsOf();
  const mayOperate = useMay(useAudience().menu)('operate');
  const columns = useSheetColumns(mayOperate ? act : undefined, setOpened, showErrors);
  const narrow = (part: Partial<typeof filter>) => setFilter({ ...part, current: 1 });
  const isNarrowed = [filter.search, filter.state, filter.customer, filter.control, filter.channel].some(
    Boolean,
  );
  return (
    <>
      <SubscribeNav place="sheet">
        <Suspense>
          <OwnerChoice
            customer={{
              withChannel: true,
              value: { customerId: filter.customer || undefined, channelId: filter.channel || undefined },
              onChange: ({ customerId = '', channelId = '' }) =>
                narrow({ customer: customerId, channel: channelId, control: '' }),
            }}
          />
        </Suspense>
      </SubscribeNav>
      <DataTable
        label={t('place.sheet')}
        name={clientType === 'databus' ? 'processed-sheet' : 'data-sheet'}
        columns={columns}
        list={subscribePageSheetList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys, onChange: choose, canSelect: isSteerable }}
        loadAll={() => wholeSheet(clientType, state.request, filter)}
        empty={
          isNarrowed ? { title: t('emptyFiltered') } : { title: t('sheet.empty'), hint: t('sheet.emptyHint') }
        }
        toolbar={
          <>
            <BulkActions
              rows={chosen}
              act={act}
              simple={simple}
              compare={compare}
              open={setOpened}
              onDone={clear}
            />
            <ListSearch
              label={t('sheet.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('state')}
              value={filter.state}
              onChange={(wanted) => narrow({ state: wanted })}
              options={[
                { value: '', label: t('anyState') },
                ...states.map((value) => ({ value: value as string, label: label(value) })),
              ]}
            />
            {filter.control && (
              <Tag closable onClose={() => narrow({ control: '' })}>
                {t('scope.control', { name: query.data?.records[0]?.controlName ?? '' })}
              </Tag>
            )}
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {opened && (
          <OpenedPart
            opened={fresh(opened, query.data?.records)}
            act={mayOperate ? act : undefined}
            compare={compare}
            handlers={{ onResults: setResults, onDone: clear }}
            onClose={() => setOpened(undefined)}
          />
        )}
        {errorsOf && <ErrorsDrawer channelId={errorsOf} onClose={() => showErrors(undefined)} />}
        {results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />}
      </Suspense>
    </>
  );
}

/** Of which channel the refused changes are shown; the address says it, and of which table. */
const errorDefaults = { errors: '', [`${ERROR_PREFIX}table`]: '' };

function useErrorsOf(): [string, (row: Row | undefined) => void] {
  const [{ errors }, change] = useUrlState(errorDefaults);
  const show = useCallback(
    (row: Row | undefined) =>
      change({ errors: row?.channelId ?? '', [`${ERROR_PREFIX}table`]: row?.id ?? '' }),
    [change],
  );
  return [errors ?? '', show];
}

/** What is opened of a row follows the list while the list has the row. */
function fresh(opened: Opened, records: readonly Row[] | undefined): Opened {
  if (opened.kind !== 'comparison') return opened;
  return { ...opened, row: records?.find(({ id }) => id === opened.row.id) ?? opened.row };
}

const isSteerable = ({ linkId }: Row) => linkId === null;

interface OpenedProps {
  opened: Opened;
  /** Left out where the viewer may not. */
  act: Act | undefined;
  compare: ReturnType<typeof useComparison>;
  handlers: ResultHandlers;
  onClose: () => void;
}

function OpenedPart({ opened, act, compare, handlers, onClose }: OpenedProps) {
  const incremental = useIncrementalCalls();
  const setLimits = useSetSheetLimits();
  switch (opened.kind) {
    case 'begin':
      return (
        <IncrementalDialog
          tables={opened.rows}
          {...incremental(opened.rows)}
          onResults={handlers.onResults}
          onClose={onClose}
        />
      );
    case 'limits':
      return (
        <LimitsDrawer tables={opened.rows} set={setLimits} onResults={handlers.onResults} onClose={onClose} />
      );
    case 'clean':
      return <CleanDrawer tables={opened.rows} onClose={onClose} />;
    case 'transfer':
      return <TransferDialog tables={opened.rows} {...handlers} onClose={onClose} />;
    case 'threads':
      return <ThreadsDrawer tables={opened.rows} onClose={onClose} />;
    case 'rebalance':
      return (
        <RebalanceDialog
          master={{ id: opened.row.controlId, name: opened.row.controlName }}
          {...handlers}
          onClose={onClose}
        />
      );
    case 'rules':
      return <RulesDrawer table={opened.row} onClose={onClose} />;
    case 'comparison':
      return <ComparisonDrawer table={opened.row} ask={compare} onClose={onClose} />;
    case 'reason':
      return (
        <ReasonDialog
          table={opened.row}
          link={opened.row.linkId ?? undefined}
          act={act && ((verb, rows) => act(verb, rows as readonly Row[]))}
          onClose={onClose}
        />
      );
    default:
      return <TableDrawer table={opened.row} onClose={onClose} />;
  }
}
