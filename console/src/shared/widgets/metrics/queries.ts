import { keepPreviousData } from '@tanstack/react-query';
import { call, type MetricSubject, metricsReadSeries, type SeriesRecord } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { askedRange, isLive, type RangeState } from './range';

/** A sample is taken so often, in milliseconds. */
const SAMPLE_INTERVAL = 10_000;

/** The series of a subject; those of a range that ends now grow while the page is in front. */
export function useSeries(
  kind: MetricSubject,
  id: string,
  range: RangeState,
  maxPoints: number,
  metrics?: readonly string[],
) {
  const body = { kind, id, maxPoints, ...askedRange(range), ...(metrics ? { metrics: [...metrics] } : {}) };
  return useLive<SeriesRecord>({
    queryKey: ['metrics', 'series', body],
    queryFn: ({ signal }) => call(metricsReadSeries({ body, signal })),
    placeholderData: keepPreviousData,
    interval: isLive(range) ? SAMPLE_INTERVAL : false,
  });
}
