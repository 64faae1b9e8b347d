import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { HistoryRecord } from '@/shared/api';
import { duration, rate } from '@/shared/lib/figures';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { AreaChart, type AreaChartTexts } from '@/shared/widgets/area-chart';
import { Panel } from './panel';

/** What passed in the last hour, minute by minute. */
export function HistoryPanel({ query }: { query: UseQueryResult<HistoryRecord> }) {
  const { t } = useTranslation('overview-monitor');
  return (
    <Panel area="history" title={t('history.title')}>
      {query.data ? (
        <Charts history={query.data} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={4} />
      )}
    </Panel>
  );
}

function Charts({ history }: { history: HistoryRecord }) {
  const { t } = useTranslation('overview-monitor');
  const { times, applied, captured, lagMs } = history;
  const texts: AreaChartTexts = {
    highest: (value) => t('history.highest', { value }),
    unknown: t('history.unknown'),
    empty: t('history.empty'),
  };
  return (
    <>
      <AreaChart
        texts={texts}
        times={times}
        format={rate}
        series={[
          { name: t('history.applied'), values: applied, kind: 'applied' },
          { name: t('history.captured'), values: captured, kind: 'captured' },
        ]}
      />
      <AreaChart
        texts={texts}
        times={times}
        format={duration}
        series={[{ name: t('history.lag'), values: lagMs, kind: 'lag' }]}
      />
    </>
  );
}
