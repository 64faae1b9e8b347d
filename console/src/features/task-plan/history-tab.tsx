import { useTranslation } from 'react-i18next';
import { RunList } from './run-list';

/** What became of every due time, of all plans. */
export function HistoryTab() {
  const { t } = useTranslation('task-plan');
  return <RunList label={t('history')} />;
}
