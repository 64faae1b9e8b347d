import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { RefusedTables, type TableResult } from './refused-tables';

export type { TableResult };

/** What became of each table that stayed as it was, and how many were done. */
export default function ResultsDialog({
  results,
  onClose,
}: {
  results: readonly TableResult[];
  onClose: () => void;
}) {
  const { t } = useTranslation('sync');
  const isActive = usePageActive();
  const refused = results.filter(({ done }) => !done);
  return (
    <Modal title={t('results.title')} open={isActive} onCancel={onClose} footer={null} width={720}>
      <p role="status">
        {t('results.summary', { done: results.length - refused.length, refused: refused.length })}
      </p>
      <RefusedTables rows={refused} />
    </Modal>
  );
}
