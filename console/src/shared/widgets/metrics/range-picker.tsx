import { Segmented } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { isLive, type RangeState, SPANS, spanOf, spans } from './range';

const OwnRange = lazy(() => import('./own-range'));

interface RangePickerProps {
  range: RangeState;
  /** What is shown ends there, in milliseconds since 1970; left out: now. */
  end?: number;
  onChange: (change: Partial<RangeState>) => void;
}

/** The time that charts and figures show: up to now, or the viewer's own range. */
export function RangePicker({ range, end, onChange }: RangePickerProps) {
  const { t } = useTranslation('metric');
  const shown = isLive(range) ? spanOf(range.range) : 'own';
  const choose = (chosen: string) => {
    if (chosen !== 'own') return onChange({ range: chosen, from: 0, to: 0 });
    const to = end ?? Date.now();
    onChange({ range: 'own', from: Math.round(to - SPANS[spanOf(range.range)] * 1000), to: Math.round(to) });
  };
  return (
    <>
      <Segmented
        aria-label={t('range.label')}
        value={shown}
        onChange={choose}
        options={[
          ...spans.map((span) => ({ value: span as string, label: t(`range.${span}`) })),
          { value: 'own', label: t('range.own') },
        ]}
      />
      {shown === 'own' && (
        <Suspense fallback={null}>
          <OwnRange
            from={range.from}
            to={range.to}
            onChange={(from, to) => onChange({ range: 'own', from, to })}
          />
        </Suspense>
      )}
    </>
  );
}
