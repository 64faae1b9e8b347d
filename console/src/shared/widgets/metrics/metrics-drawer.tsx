import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageActive } from '@/shared/pages/page-context';
import MetricsView, { type MetricsViewProps } from '.';

interface MetricsDrawerProps extends MetricsViewProps {
  /** Where the subject is steered. */
  page?: string;
  onClose: () => void;
}

/** The metrics of one part of a page, over the page. */
export default function MetricsDrawer({ page, onClose, ...subject }: MetricsDrawerProps) {
  const { t } = useTranslation('metric');
  const isActive = usePageActive();
  return (
    <Drawer
      title={t('of', { name: subject.name })}
      open={isActive}
      onClose={onClose}
      extra={page && <Link to={page}>{t('openPage')}</Link>}
      size="max(60%, 960px)"
      className="metric-drawer"
    >
      <MetricsView {...subject} />
    </Drawer>
  );
}
