import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeliveryResult } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { PlainTable } from '@/shared/ui/plain-table';
import { LookMark } from '@/shared/ui/state-tag';

interface Props {
  results: readonly DeliveryResult[];
  onClose: () => void;
}

/** What became of each customer, where not all got the version. */
export default function ResultsDialog({ results, onClose }: Props) {
  const { t } = useTranslation('policy');
  const isActive = usePageActive();
  return (
    <Modal
      title={t('results')}
      open={isActive}
      onCancel={onClose}
      onOk={onClose}
      okText={t('close')}
      cancelButtonProps={{ hidden: true }}
      width={720}
    >
      <PlainTable<DeliveryResult>
        label={t('results')}
        rows={results}
        rowKey={({ controlId }) => controlId}
        columns={[
          { key: 'customer', title: t('customer'), render: ({ customerName }) => customerName },
          {
            key: 'done',
            title: t('result'),
            width: 120,
            render: ({ done }) => (
              <LookMark look={done ? 'good' : 'bad'} label={t(done ? 'wasDelivered' : 'wasRefused')} />
            ),
          },
          { key: 'reason', title: t('reason'), render: ({ reason }) => reason },
        ]}
      />
    </Modal>
  );
}
