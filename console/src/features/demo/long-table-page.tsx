import { useTranslation } from 'react-i18next';
import { genericPageSizes, useTableState } from '@/shared/ui/data-table';
import { RecordsTable } from './records-table';

/** The table with the specification's generic sizes: it shows the whole log at once, however long that is. */
export default function LongTablePage() {
  const { t } = useTranslation('demo');
  const state = useTableState('', genericPageSizes);
  return <RecordsTable name="demo-long-records" title={t('records.longTitle')} state={state} single />;
}
