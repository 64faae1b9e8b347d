import { useTranslation } from 'react-i18next';
import { useTableState } from '@/shared/ui/data-table';
import { RecordsTable } from './records-table';

/** The table as lists use it. */
export default function TablePage() {
  const { t } = useTranslation('demo');
  return <RecordsTable name="demo-records" title={t('records.title')} state={useTableState()} />;
}
