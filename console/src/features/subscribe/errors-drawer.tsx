import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import ErrorList from '@/shared/widgets/sync/errors/error-list';
import { channelErrors } from '@/shared/widgets/sync/errors/source';
import { useAudience } from './audience';

/** What a channel's target refused, one by one; of one table where the address says so. */
export default function ErrorsDrawer({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const { t } = useTranslation('row-error');
  const { menu } = useAudience();
  const isActive = usePageActive();
  return (
    <Drawer title={t('title')} open={isActive} onClose={onClose} size="80%" className="table-drawer">
      <ErrorList source={channelErrors(channelId, menu)} />
    </Drawer>
  );
}
