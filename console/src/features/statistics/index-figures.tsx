import { useTranslation } from 'react-i18next';
import type { KeyFigures } from '@/shared/api';
import { bytes, count, duration } from '@/shared/lib/figures';

type Figure = keyof KeyFigures;

/** The figures in the order in which they are shown, and how each is written. */
export const FIGURES = [
  ['captured', count],
  ['applied', count],
  ['inserts', count],
  ['updates', count],
  ['deletes', count],
  ['rowsLoaded', count],
  ['bytesLoaded', bytes],
  ['lagMeanMs', duration],
  ['lagMaxMs', duration],
  ['rowErrors', count],
  ['failedTables', count],
  ['restarts', count],
] as const satisfies readonly (readonly [Figure, (value: number | null) => string])[];

export type ShownFigure = (typeof FIGURES)[number][0];

/** `+12%`; empty where one of both is unknown or there was nothing before. */
export function changeOf(current: number | null, before: number | null): string {
  if (current === null || before === null || before === 0 || current === before) return '';
  const percent = ((current - before) / before) * 100;
  const rounded = Math.abs(percent) < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  if (Math.abs(percent) >= 1000) return percent > 0 ? '>+999%' : '<−999%';
  return `${percent > 0 ? '+' : '−'}${Math.abs(rounded)}%`;
}

interface ComparedProps {
  figure: ShownFigure;
  current: KeyFigures;
  before: KeyFigures;
}

/** A figure with its change against the period before, which is in the tooltip. */
export function Compared({ figure, current, before }: ComparedProps) {
  const { t } = useTranslation('statistics');
  const written = FIGURES.find(([name]) => name === figure)?.[1] ?? count;
  const change = changeOf(current[figure], before[figure]);
  return (
    <span className="tabular" title={t('index.beforeWas', { value: written(before[figure]) })}>
      {written(current[figure])}
      {change && <small className="statistics-change"> {change}</small>}
    </span>
  );
}
