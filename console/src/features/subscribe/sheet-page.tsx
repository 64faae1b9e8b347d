import { Space, Tag } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SheetRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DataTable, type RowAction, useChosenRows, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { useStateLabel } from '@/shared/ui/state-tag';
import { BulkButton, BulkMenu } from '@/shared/widgets/sync/bulk-buttons';
import { ERROR_PREFIX } from '@/shared/widgets/sync/errors/queries';
import { furtherTableVerbs, type TableVerb, tableVerbs } from '@/shared/widgets/sync/queries';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';
import { useAudience, useWords } from './audience';
import { SubscribeNav } from './frame';
import { useIncrementalCalls, useSheet, wholeSheet } from './queries';
import { useSheetColumns } from './sheet-columns';
import { comparisonVerbs, useComparison, useComparisonRefusal } from './use-comparison';
import { useSetSheetLimits, useSheetActions } from './use-sheet-actions';
import type { Told } from './use-tell';
import '@/shared/widgets/sync/sync.css';

// What is opened by few comes when it is opened.
const ComparisonDrawer = lazy(() => import('./comparison-drawer'));
const CleanDrawer = lazy(() => import('./clean-drawer'));
const ErrorsDrawer = lazy(() => import('./errors-drawer'));
const IncrementalDialog = lazy(() => import('@/shared/widgets/sync/incremental-dialog'));
const LimitsDrawer = lazy(() => import('@/shared/widgets/sync/errors/limits-drawer'));
const ReasonDialog = lazy(() => import('@/shared/widgets/sync/reason-dialog'));
const ResultsDialog = lazy(() => import('@/shared/widgets/sync/results-dialog'));
const RulesDrawer = lazy(() => import('./rules-drawer'));
const TableDrawer = lazy(() => import('./table-drawer'));
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
const EXCEPTIONS: readonly string[] = ['full-error', 'incremental-error'];
const keyOf = ({ id }: SheetRecord) => id;
type Row = SheetRecord;
type Opened =
  | { kind: 'begin' | 'limits' | 'clean' | 'transfer'; rows: readonly Row[] }
  | { kind: 'reason' | 'table' | 'rules' | 'comparison'; row: Row };

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
      <SubscribeNav place="sheet" />
      <DataTable
        label={t('place.sheet')}
        name={clientType === 'databus' ? 'processed-sheet' : 'data-sheet'}
        columns={columns}
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
            <Scope filter={filter} first={query.data?.records[0]} narrow={narrow} />
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
            told={{ onResults: setResults, onDone: clear }}
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

/** Of whom the sheet is, where it is not of all. */
function Scope({
  filter,
  first,
  narrow,
}: {
  filter: typeof filterDefaults;
  first: Row | undefined;
  narrow: (part: Partial<typeof filterDefaults>) => void;
}) {
  const { t } = useWords();
  const names = { customer: first?.customerName, control: first?.controlName, channel: first?.channelName };
  return (['customer', 'control', 'channel'] as const)
    .filter((name) => filter[name] !== '')
    .map((name) => (
      <Tag key={name} closable onClose={() => narrow({ [name]: '' })}>
        {t(`scope.${name}`, { name: names[name] ?? '' })}
      </Tag>
    ));
}

type Act = (verb: TableVerb, rows: readonly Row[], onDone?: () => void) => void;

interface OpenedProps {
  opened: Opened;
  /** Left out where the viewer may not. */
  act: Act | undefined;
  compare: ReturnType<typeof useComparison>;
  told: Told;
  onClose: () => void;
}

function OpenedPart({ opened, act, compare, told, onClose }: OpenedProps) {
  const incremental = useIncrementalCalls();
  const setLimits = useSetSheetLimits();
  switch (opened.kind) {
    case 'begin':
      return <IncrementalDialog tables={opened.rows} {...incremental(opened.rows)} onClose={onClose} />;
    case 'limits':
      return <LimitsDrawer tables={opened.rows} set={setLimits} onClose={onClose} />;
    case 'clean':
      return <CleanDrawer tables={opened.rows} onClose={onClose} />;
    case 'transfer':
      return <TransferDialog tables={opened.rows} {...told} onClose={onClose} />;
    case 'rules':
      return <RulesDrawer table={opened.row} onClose={onClose} />;
    case 'comparison':
      return <ComparisonDrawer table={opened.row} ask={compare} onClose={onClose} />;
    case 'reason':
      return (
        <ReasonDialog
          table={opened.row}
          act={act && ((verb, rows) => act(verb, rows as readonly Row[]))}
          onClose={onClose}
        />
      );
    default:
      return <TableDrawer table={opened.row} onClose={onClose} />;
  }
}

interface BulkProps {
  rows: readonly Row[];
  act: Act;
  simple: ReturnType<typeof useSheetActions>;
  compare: ReturnType<typeof useComparison>;
  open: (opened: Opened) => void;
  onDone: () => void;
}

/** A verb is offered as long as one of the chosen tables allows it, and is asked of those only. */
function BulkActions({ rows, act, simple, compare, open, onDone }: BulkProps) {
  const { t } = useWords();
  const { t: sync } = useTranslation('sync');
  const may = useMay(useAudience().menu);
  const refusal = useComparisonRefusal();
  const allowing = (verb: TableVerb) => rows.filter(({ actions }) => actions.includes(verb));
  const failed = rows.filter(({ state }) => EXCEPTIONS.includes(state));
  const noneOf = (possible: readonly Row[]) => (possible.length > 0 ? undefined : sync('table.noneAllows'));
  const operations: RowAction[] = [
    ...furtherTableVerbs.map((verb) => ({
      key: verb,
      label: sync(`table.action.${verb}`),
      refused: noneOf(allowing(verb)),
      run: () => act(verb, allowing(verb), onDone),
    })),
    {
      key: 'recover',
      label: t('sheet.action.recover'),
      refused: noneOf(failed),
      run: () => simple('recover', failed, onDone),
    },
    ...comparisonVerbs.map((verb) => {
      const comparable = rows.filter((row) => !refusal(row, verb));
      return {
        key: `comparison-${verb}`,
        label: t(`comparison.action.${verb}`),
        danger: verb === 'repair',
        refused: comparable.length === 0 && rows[0] ? refusal(rows[0], verb) : undefined,
        run: () => compare(verb, comparable),
      };
    }),
  ];
  const changes: RowAction[] = [
    { key: 'limits', label: sync('table.limits'), run: () => open({ kind: 'limits', rows }) },
    { key: 'clean', label: t('sheet.clean'), run: () => open({ kind: 'clean', rows }) },
  ];
  const rules: RowAction = {
    key: 'rules',
    label: t('rule.name'),
    refused: rows.length === 1 ? undefined : t('rule.oneTable'),
    run: () => rows[0] && open({ kind: 'rules', row: rows[0] }),
  };
  const transfer: RowAction = {
    key: 'transfer',
    label: t('move.transfer'),
    run: () => open({ kind: 'transfer', rows }),
  };
  const unbind: RowAction = {
    key: 'unbind',
    label: t('sheet.action.unbind'),
    danger: true,
    run: () => simple('unbind', rows, onDone),
  };
  return (
    <Space.Compact>
      {may('operate') &&
        tableVerbs.map((verb) => (
          <BulkButton
            key={verb}
            chosen={rows}
            possible={allowing(verb)}
            onAct={(possible) => act(verb, possible, onDone)}
          >
            {verb === 'reload' ? t('sheet.action.reload') : sync(`table.action.${verb}`)}
          </BulkButton>
        ))}
      <BulkMenu
        chosen={rows}
        actions={[
          ...(may('operate') ? operations : []),
          ...(may('edit') ? changes : []),
          rules,
          ...(may('operate') ? [transfer] : []),
          ...(may('delete') ? [unbind] : []),
        ]}
      />
    </Space.Compact>
  );
}
