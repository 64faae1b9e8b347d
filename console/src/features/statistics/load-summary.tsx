import { useTranslation } from 'react-i18next';
import { bytes, rate } from '@/shared/lib/figures';
import { Count, KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { type LoadFilter, useLoadSummary } from './queries';
import './statistics.css';

/** The loads that the list shows, in figures. */
export function LoadSummary({ filter }: { filter: LoadFilter }) {
  const { t } = useTranslation('statistics');
  const { data } = useLoadSummary(filter);
  const open = data && data.waiting + data.running + data.interrupted;
  return (
    <section className="card statistics-summary" aria-label={t('load.summary')}>
      <KeyFigures>
        <KeyFigure label={t('load.loads')}>
          <Count value={data?.loads} />
        </KeyFigure>
        <KeyFigure label={t('load.state.finished')}>
          <Count value={data?.finished} />
        </KeyFigure>
        <KeyFigure label={t('load.open')}>
          <Count value={open} />
        </KeyFigure>
        <KeyFigure label={t('load.state.failed')}>
          <Count value={data?.failed} />
        </KeyFigure>
        <KeyFigure label={t('load.rows')}>
          <Count value={data?.rowsLoaded} />
        </KeyFigure>
        <KeyFigure label={t('load.bytes')}>{bytes(data?.bytesLoaded)}</KeyFigure>
        <KeyFigure label={t('load.meanRate')}>{rate(data?.rowsPerSecond)}</KeyFigure>
      </KeyFigures>
    </section>
  );
}
