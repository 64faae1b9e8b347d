import { useTranslation } from 'react-i18next';
import './append-only.css';

/** Tag of a table without a key that is published append-only. */
export function AppendOnlyTag() {
  const { t } = useTranslation();
  return (
    <span className="append-only" title={t('appendOnly.what')}>
      {t('appendOnly.tag')}
    </span>
  );
}
