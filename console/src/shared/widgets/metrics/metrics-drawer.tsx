import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import MetricsView, { type MetricsViewProps } from '.';

interface MetricsDrawerProps extends MetricsViewProps {
  onClose: () => void;
}

/** The metrics of one row of a list, over the list. */
export default function MetricsDrawer({ onClose, ...subject }: MetricsDrawerProps) {
  const { t } = useTranslation('metric');
  const isActive = usePageActive();
  return (
    <Drawer
      title={t('of', { name: subject.name })}
      open={isActive}
      onClose={onClose}
      size="max(60%, 960px)"
      className="metric-drawer"
    >
      <MetricsView {...subject} />
    </Drawer>
  );
}
