import { Alert, Button, Drawer, Form, Input, InputNumber, Select, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contrastPageDifferences, type SheetRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { usePageActive } from '@/shared/pages/page-context';
import { EmptyState } from '@/shared/ui/empty-state';
import { Count, KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { HintedLabel } from '@/shared/ui/hinted-label';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { StateTag } from '@/shared/ui/state-tag';
import { DifferencesTable } from '@/shared/widgets/differences';
import { useAudience } from './audience';
import { sheetKey } from './queries';
import {
  type ComparisonMethod,
  type ComparisonOrder,
  type ComparisonVerb,
  comparisonVerbs,
  useComparisonRefusal,
  usualOrder,
} from './use-comparison';
import './subscribe.css';

const RepairPreview = lazy(() => import('./repair-preview'));

const methods = ['content', 'strict', 'count'] as const;
const MAX_ROUNDS = 100;
const figures = ['missing', 'extra', 'different', 'unsettled', 'notChecked', 'repaired'] as const;
const KEPT = 1000;

interface Props {
  table: SheetRecord;
  ask: (verb: ComparisonVerb, rows: readonly SheetRecord[], order: ComparisonOrder) => void;
  onClose: () => void;
}

/** A table's last comparison with its source: how it ended, and the rows that differ. */
export default function ComparisonDrawer({ table, ask, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const may = useMay(useAudience().menu);
  const refusal = useComparisonRefusal();
  const offered = may('operate') ? comparisonVerbs : [];
  const [isPreviewed, preview] = useState(false);
  const [order, setOrder] = useState<ComparisonOrder>(() => lastOrder(table));
  return (
    <Drawer
      title={t('comparison.of', { name: table.source })}
      open={isActive}
      onClose={onClose}
      size="80%"
      className="table-drawer"
    >
      <OrderFields order={order} onChange={setOrder} countsOnly={table.appendOnly} />
      <Space className="comparison-actions">
        {offered.map((verb) => (
          <RefusableButton
            key={verb}
            danger={verb === 'repair'}
            refused={refusal(table, verb)}
            onClick={() => ask(verb, [table], order)}
          >
            {t(`comparison.action.${verb}`)}
          </RefusableButton>
        ))}
        {may('operate') && table.comparison && table.comparison.method !== 'count' && (
          <Button onClick={() => preview(true)}>{t('repairPreview.open')}</Button>
        )}
      </Space>
      {isPreviewed && isActive && (
        <Suspense>
          <RepairPreview
            table={table}
            refused={refusal(table, 'repair')}
            onRepair={() => {
              preview(false);
              ask('repair', [table], order);
            }}
            onClose={() => preview(false)}
          />
        </Suspense>
      )}
      {table.comparison && <Figures comparison={table.comparison} isKeyless={table.appendOnly} />}
      {table.comparison && table.comparison.method !== 'count' && (
        <DifferencesTable
          table={table.id}
          queryKey={[sheetKey]}
          page={(body, signal) => call(contrastPageDifferences({ body, signal }))}
          emptyHint={t('comparison.emptyHint')}
        />
      )}
      {!table.comparison && <EmptyState title={t('comparison.never')} hint={t('comparison.neverHint')} />}
    </Drawer>
  );
}

function lastOrder({ comparison, appendOnly }: SheetRecord): ComparisonOrder {
  if (appendOnly) return { ...usualOrder, rounds: comparison?.rounds ?? usualOrder.rounds, method: 'count' };
  if (!comparison) return usualOrder;
  const { method, columns, rounds } = comparison;
  return { method, columns, rounds };
}

interface OrderProps {
  order: ComparisonOrder;
  onChange: (order: ComparisonOrder) => void;
  /** The table has no key: no row of one side is known to be a row of the other. */
  countsOnly: boolean;
}

/** How the table is compared next. */
function OrderFields({ order, onChange, countsOnly }: OrderProps) {
  const { t } = useTranslation('subscribe');
  const [columns, setColumns] = useState(order.columns.join(', '));
  return (
    <Form layout="inline" className="comparison-order">
      <Form.Item
        label={
          <HintedLabel
            label={t('comparison.method')}
            hint={countsOnly ? t('comparison.keylessHint') : undefined}
          />
        }
      >
        <Select<ComparisonMethod>
          aria-label={t('comparison.method')}
          value={order.method}
          onChange={(method) => onChange({ ...order, method })}
          options={methods
            .filter((value) => value === 'count' || !countsOnly)
            .map((value) => ({ value, label: t(`comparison.methods.${value}`) }))}
        />
      </Form.Item>
      <Form.Item label={<HintedLabel label={t('comparison.columns')} hint={t('comparison.columnsHint')} />}>
        <Input
          aria-label={t('comparison.columns')}
          value={columns}
          disabled={order.method === 'count'}
          placeholder={t('comparison.allColumns')}
          onChange={({ target }) => {
            setColumns(target.value);
            onChange({ ...order, columns: namesIn(target.value) });
          }}
        />
      </Form.Item>
      <Form.Item label={<HintedLabel label={t('comparison.rounds')} hint={t('comparison.roundsHint')} />}>
        <InputNumber
          controls={false}
          aria-label={t('comparison.rounds')}
          value={order.rounds}
          min={2}
          max={MAX_ROUNDS}
          precision={0}
          onChange={(rounds) => onChange({ ...order, rounds: rounds ?? usualOrder.rounds })}
        />
      </Form.Item>
    </Form>
  );
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

type Comparison = NonNullable<SheetRecord['comparison']>;

function Figures({ comparison, isKeyless }: { comparison: Comparison; isKeyless: boolean }) {
  const { t } = useTranslation('subscribe');
  const { method, state, repairState, reason, repairReason, finishedAt, rowsCompared, differences } =
    comparison;
  const reported = [reason, repairReason].filter((one) => one !== null);
  return (
    <>
      <KeyFigures>
        <KeyFigure label={t('comparison.title')}>
          <StateTag state={state} reason={reason} />
        </KeyFigure>
        <KeyFigure label={t('comparison.action.repair')}>
          <StateTag state={repairState} reason={repairReason} />
        </KeyFigure>
        <KeyFigure label={t('comparison.last')}>
          <Moment at={finishedAt} />
        </KeyFigure>
        <KeyFigure label={t('comparison.rows')}>
          <Count value={rowsCompared} />
        </KeyFigure>
        {figures.map((name) => (
          <KeyFigure key={name} label={t(`comparison.${name}`)}>
            <Count value={comparison[name]} />
          </KeyFigure>
        ))}
      </KeyFigures>
      {reported.map(({ code, text, remedy }) => (
        <Alert key={code} type="warning" showIcon title={text} description={remedy} />
      ))}
      {method === 'count' && differences > 0 && (
        <Alert
          type="info"
          showIcon
          title={t(isKeyless ? 'comparison.keylessHint' : 'comparison.countsOnly')}
        />
      )}
      {method !== 'count' && differences > KEPT && (
        <Alert type="info" showIcon title={t('comparison.kept', { maximum: KEPT })} />
      )}
    </>
  );
}
