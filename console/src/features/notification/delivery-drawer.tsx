import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import type { NoticeDeliveryRecord } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { DeliveryState } from './delivery-state';
import './notification.css';

/** One notice as it was sent. */
export default function DeliveryDrawer({
  delivery,
  onClose,
}: {
  delivery: NoticeDeliveryRecord;
  onClose: () => void;
}) {
  const { t } = useTranslation('notification');
  const isActive = usePageActive();
  return (
    <Drawer title={t('open')} open={isActive} onClose={onClose} size="50%">
      <KeyFigures>
        <KeyFigure label={t('state')}>
          <DeliveryState delivery={delivery} />
        </KeyFigure>
        <KeyFigure label={t('receiver')}>{delivery.receiverName}</KeyFigure>
        <KeyFigure label={t('way')}>{t(`ways.${delivery.way}`)}</KeyFigure>
        <KeyFigure label={t('attempts')}>{delivery.attempts}</KeyFigure>
        <KeyFigure label={t('endedAt')}>
          <Moment at={delivery.endedAt} />
        </KeyFigure>
      </KeyFigures>
      <p className="notice-target">
        {t('target')}: {delivery.target}
      </p>
      {delivery.reason && (
        <div role="alert">
          <p>{delivery.reason.text}</p>
          <p>{delivery.reason.remedy}</p>
        </div>
      )}
      <h2 className="notice-title">{delivery.title}</h2>
      <p className="notice-content">{delivery.content}</p>
    </Drawer>
  );
}
