import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { PlainTable } from '@/shared/ui/plain-table';
import './sync.css';

/** What became of one table of many. */
export interface TableResult {
  id: string | null;
  table: string;
  done: boolean;
  reason: string;
}

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
    <Modal title={t('results.title')} open={isActive} onCancel={onClose} footer={null} width={640}>
      <p role="status">
        {t('results.summary', { done: results.length - refused.length, refused: refused.length })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
      <div className="sync-results" tabIndex={0}>
        <PlainTable<TableResult>
          label={t('results.title')}
          rows={refused}
          rowKey={({ id, table }) => id ?? table}
          columns={[
            { key: 'table', title: t('results.table'), render: ({ table, id }) => table || id },
            { key: 'reason', title: t('results.reason'), render: ({ reason }) => reason },
          ]}
        />
      </div>
    </Modal>
  );
}
