import dayjs from 'dayjs';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogFound } from '@/shared/api';
import { Chart } from '@/shared/widgets/chart';

interface Props {
  found: LogFound;
  onChoose: (from: number, to: number) => void;
}

const DAY = 86_400_000;
// As the lines of these levels are coloured.
const LEVELS = [
  ['error', 'var(--error)'],
  ['warning', 'var(--warning)'],
  ['info', 'var(--chart-1)'],
  ['debug', 'var(--neutral)'],
  ['unknown', 'var(--chart-4)'],
] as const;

/** How many entries match over time, by level; a click on a bar shows that time. */
export default function CountsChart({ found, onChoose }: Props) {
  const { t } = useTranslation('logs');
  const { counts, start, end, step } = found;
  const moments = useMemo(() => {
    const first = Math.floor(start / step) * step;
    return Array.from(
      { length: Math.max(1, Math.ceil((end - first) / step)) },
      (_, index) => first + index * step,
    );
  }, [start, end, step]);
  const series = useMemo(() => {
    const byMoment = new Map(counts.map((count) => [count.at, count]));
    return LEVELS.filter(([level]) => counts.some((count) => (count[level] ?? 0) > 0)).map(
      ([level, colour]) => ({
        name: t(`level.${level}`),
        colour,
        values: moments.map((at) => byMoment.get(at)?.[level] ?? 0),
      }),
    );
  }, [counts, moments, t]);
  const form =
    step >= DAY ? 'MM-DD' : end - start > DAY ? 'MM-DD HH:mm' : step < 60_000 ? 'HH:mm:ss' : 'HH:mm';
  const choose = useCallback(
    (index: number) => {
      const at = moments[index];
      if (at !== undefined) onChoose(at, at + step);
    },
    [moments, step, onChoose],
  );
  return (
    <div className="card">
      <Chart
        title={t('counts')}
        kind="bar"
        isStacked
        height={140}
        labels={moments.map((at) => dayjs(at).format(form))}
        series={series}
        onChoose={choose}
      />
    </div>
  );
}
