import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ServiceResult } from '@/shared/api';
import { PlainTable } from '@/shared/ui/plain-table';
import { stateLabel } from '@/shared/ui/state-tag';

interface Props {
  results: readonly ServiceResult[];
  onClose: () => void;
}

/** What became of each service that something was asked of. */
export function ResultsDialog({ results, onClose }: Props) {
  const { t } = useTranslation('service');
  return (
    <Modal open title={t('results')} width={720} footer={null} onCancel={onClose}>
      <PlainTable<ServiceResult>
        label={t('results')}
        rows={results}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: t('name'), width: 200, render: ({ serviceName }) => serviceName },
          {
            key: 'result',
            title: t('result'),
            render: ({ done, state, message }) => (done ? stateLabel(state ?? '') : message),
          },
        ]}
      />
    </Modal>
  );
}
