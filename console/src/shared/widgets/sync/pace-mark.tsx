import { useTranslation } from 'react-i18next';
import type { Pace } from '@/shared/api';
import './sync.css';

// Signs, not the kit's icons: home loads this with its first page.
const signs: Record<Pace, string> = { idle: '–', busy: '→', behind: '!' };

/** How what applies changes keeps up, by word and shape; nothing where that is not known or nothing is applied. */
export function PaceMark({ pace }: { pace: Pace | null | undefined }) {
  const { t } = useTranslation('sync');
  if (!pace) return null;
  return (
    <span className="sync-pace" data-pace={pace} title={t(`pace.${pace}.meaning`)}>
      <span aria-hidden="true">{signs[pace]}</span> {t(`pace.${pace}.word`)}
    </span>
  );
}
