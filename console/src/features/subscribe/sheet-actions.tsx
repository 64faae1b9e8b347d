import { useTranslation } from 'react-i18next';
import type { SheetRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import type { RowAction } from '@/shared/ui/data-table';
import { allowing, BulkActionRow } from '@/shared/widgets/sync/bulk-buttons';
import { furtherTableVerbs, type TableVerb, tableVerbs } from '@/shared/widgets/sync/queries';
import { useAudience, useWords } from './audience';
import { comparisonVerbs, type useComparison, useComparisonRefusal } from './use-comparison';
import type { useSheetActions } from './use-sheet-actions';

type Row = SheetRecord;
export type Opened =
  | { kind: 'begin' | 'limits' | 'clean' | 'threads' | 'transfer'; rows: readonly Row[] }
  | { kind: 'reason' | 'table' | 'rules' | 'comparison' | 'rebalance'; row: Row };
export type Act = (verb: TableVerb, rows: readonly Row[], onDone?: () => void) => void;

interface BulkProps {
  rows: readonly Row[];
  act: Act;
  simple: ReturnType<typeof useSheetActions>;
  compare: ReturnType<typeof useComparison>;
  open: (opened: Opened) => void;
  onDone: () => void;
}

/** What can be done with the chosen tables of a sheet. */
export function BulkActions({ rows, act, simple, compare, open, onDone }: BulkProps) {
  const { t } = useWords();
  const { t: sync } = useTranslation('sync');
  const may = useMay(useAudience().menu);
  const refusal = useComparisonRefusal();
  const noneOf = (possible: readonly Row[]) => (possible.length > 0 ? undefined : sync('table.noneAllows'));
  const operations: RowAction[] = [
    ...furtherTableVerbs.map((verb) => ({
      key: verb,
      label: sync(`table.action.${verb}`),
      refused: noneOf(allowing(rows, verb)),
      run: () => act(verb, allowing(rows, verb), onDone),
    })),
    {
      key: 'recover',
      label: t('sheet.action.recover'),
      refused: noneOf(allowing(rows, 'recover')),
      run: () => simple('recover', allowing(rows, 'recover'), onDone),
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
  const [first] = rows;
  const changes: RowAction[] = [
    { key: 'threads', label: t('channel.threads'), run: () => open({ kind: 'threads', rows }) },
    {
      key: 'limits',
      label: sync('table.limits'),
      refused: noneOf(allowing(rows, 'limit')),
      run: () => open({ kind: 'limits', rows: allowing(rows, 'limit') }),
    },
    {
      key: 'clean',
      label: t('sheet.clean'),
      refused: noneOf(allowing(rows, 'clean')),
      run: () => open({ kind: 'clean', rows: allowing(rows, 'clean') }),
    },
  ];
  const ofOne: RowAction[] = (['table', 'rules'] as const).map((kind) => ({
    key: kind,
    label: t(kind === 'table' ? 'sheet.columnsAndConditions' : 'rule.name'),
    refused: rows.length === 1 ? undefined : t('rule.oneTable'),
    run: () => first && open({ kind, row: first }),
  }));
  const isOfOneMaster = new Set(rows.map(({ controlId }) => controlId)).size === 1;
  const rebalance: RowAction = {
    key: 'rebalance',
    label: t('move.rebalance'),
    refused: isOfOneMaster ? noneOf(allowing(rows, 'rebalance')) : t('move.oneMaster'),
    run: () => first && open({ kind: 'rebalance', row: first }),
  };
  const transfer: RowAction = {
    key: 'transfer',
    label: t('move.transfer'),
    refused: noneOf(allowing(rows, 'transfer')),
    run: () => open({ kind: 'transfer', rows: allowing(rows, 'transfer') }),
  };
  const unbind: RowAction = {
    key: 'unbind',
    label: t('sheet.action.unbind'),
    danger: true,
    refused: noneOf(allowing(rows, 'unbind')),
    run: () => simple('unbind', allowing(rows, 'unbind'), onDone),
  };
  return (
    <BulkActionRow
      rows={rows}
      verbs={may('operate') ? tableVerbs : []}
      labelOf={(verb) => sync(`table.action.${verb}`)}
      act={act}
      onDone={onDone}
      further={[
        ...(may('operate') ? operations : []),
        ...(may('edit') ? changes : []),
        ...ofOne,
        ...(may('operate') ? [transfer, rebalance] : []),
        ...(may('delete') ? [unbind] : []),
      ]}
    />
  );
}
