import { Checkbox, Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TopicFlowGrouping, TopicFlowMinute } from '@/shared/api';
import { reconciliationListMinutesList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { time } from '@/shared/lib/figures';
import { usePageActive } from '@/shared/pages/page-context';
import { type Column, DataTable, MOMENT_WIDTH, useOwnTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import MetricsView from '@/shared/widgets/metrics';
import { usualRange } from '@/shared/widgets/metrics/range';
import { useFlowMinutes } from './flow-queries';
import './statistics.css';

const METRICS = [
  'published',
  'changes_applied',
  'changes_skipped',
  'changes_filtered',
  'changes_refused',
  'changes_waiting',
  'changes_difference',
] as const;

interface Props {
  by: TopicFlowGrouping;
  id: string;
  name: string;
  onClose: () => void;
}

/** What became of the changes of a channel or a table over time: as charts, and minute by minute as an equation. */
export default function FlowDrawer({ by, id, name, onClose }: Props) {
  const isActive = usePageActive();
  return (
    <Drawer title={name} open={isActive} onClose={onClose} size="max(70%, 1080px)" className="metric-drawer">
      <MetricsView kind={by} id={id} name={name} metrics={METRICS} />
      <Minutes by={by} id={id} />
    </Drawer>
  );
}

function Minutes({ by, id }: Pick<Props, 'by' | 'id'>) {
  const { t } = useTranslation('statistics');
  const state = useOwnTableState();
  const [range] = useUrlState(usualRange);
  const [all, setAll] = useState(false);
  const query = useFlowMinutes(state.request, { by, id, all }, range);
  return (
    <section className="statistics-minutes">
      <h2>{t('flow.minutes')}</h2>
      <p className="metric-hint">{t('flow.minutesHint')}</p>
      <DataTable
        label={t('flow.minutes')}
        name="pubAndSub-minutes"
        columns={useMinuteColumns()}
        list={reconciliationListMinutesList}
        query={query}
        state={state}
        rowKey={({ at }) => String(at)}
        empty={{ title: t('flow.noMinutes'), hint: t('flow.noMinutesHint') }}
        toolbar={
          <Checkbox
            checked={all}
            onChange={({ target }) => {
              setAll(target.checked);
              state.toFirstPage();
            }}
          >
            {t('flow.all')}
          </Checkbox>
        }
      />
    </section>
  );
}

function useMinuteColumns(): Column<TopicFlowMinute>[] {
  const { t } = useTranslation('statistics');
  return useMemo(
    () => [
      {
        key: 'at',
        title: t('flow.minute'),
        width: MOMENT_WIDTH,
        essential: true,
        text: ({ at }) => time(at),
        render: ({ at }) => <Moment at={new Date(at).toISOString()} />,
      },
      figure('before', t('flow.before')),
      figure('published', t('flow.published')),
      figure('applied', t('flow.applied')),
      figure('skipped', t('flow.skipped')),
      figure('filtered', t('flow.filtered')),
      figure('refused', t('flow.refused')),
      figure('difference', t('flow.difference')),
      figure('waiting', t('flow.waiting')),
      {
        key: 'balanced',
        title: t('flow.balanced'),
        width: 110,
        essential: true,
        text: ({ balanced }) => balanced,
        render: ({ balanced }) => <Balance balanced={balanced} />,
      },
    ],
    [t],
  );
}

function Balance({ balanced }: Pick<TopicFlowMinute, 'balanced'>) {
  const { t } = useTranslation('statistics');
  if (balanced === null) return <LookMark look="quiet" label={t('flow.unmeasured')} />;
  return balanced ? (
    <LookMark look="good" label={t('flow.equal')} />
  ) : (
    <LookMark look="bad" label={t('flow.unequal')} />
  );
}

type Figure = Exclude<keyof TopicFlowMinute, 'at' | 'step' | 'balanced'>;

function figure(key: Figure, title: string): Column<TopicFlowMinute> {
  return {
    key,
    title,
    width: 86,
    align: 'right',
    text: (minute) => minute[key],
    render: (minute) => <Count value={minute[key]} />,
  };
}
