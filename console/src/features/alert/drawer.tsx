import { Button, Drawer, Space, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserRecord } from '@/shared/api';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { mayDeliver } from './delivering';
import { AlertList } from './list';
import { OpenAlerts } from './open-alerts';
import { status, useMarkRead, useUnreadCount } from './queries';
import './alert.css';
import { RefusableButton } from '@/shared/ui/refusable-button';

const DeliveryDialog = lazy(() => import('./delivery-dialog'));

const unreadOnes = { status: status.unread };
const readOnes = { status: status.history };

interface AlertDrawerProps {
  user: UserRecord | undefined;
  onClose: () => void;
}

/** Unread alerts and the history, over 60 percent of the window. */
export default function AlertDrawer({ user, onClose }: AlertDrawerProps) {
  const { t } = useTranslation('alert');
  const markRead = useMarkRead();
  const unread = useUnreadCount();
  const confirm = useConfirmDanger();
  const [isDelivering, setDelivering] = useState(false);
  const markAll = () =>
    confirm({
      title: t('markAllTitle', { count: unread }),
      content: t('markAllHint'),
      action: t('markAll'),
      run: () => markRead.mutateAsync('all'),
    });
  return (
    <Drawer
      open
      size="60%"
      title={t('title')}
      onClose={onClose}
      extra={
        <Space>
          {mayDeliver(user) && <Button onClick={() => setDelivering(true)}>{t('deliver.open')}</Button>}
          <RefusableButton refused={unread === 0 ? t('noUnread') : undefined} onClick={markAll}>
            {t('markAll')}
          </RefusableButton>
        </Space>
      }
    >
      <Tabs
        items={[
          {
            key: 'unread',
            label: t('unread', { count: unread }),
            children: <AlertList view={unreadOnes} empty={t('noUnread')} onLeave={onClose} />,
          },
          { key: 'open', label: t('open'), children: <OpenAlerts onLeave={onClose} /> },
          {
            key: 'history',
            label: t('history'),
            children: <AlertList view={readOnes} empty={t('noHistory')} onLeave={onClose} />,
          },
        ]}
      />
      <Suspense fallback={null}>
        {isDelivering && <DeliveryDialog onClose={() => setDelivering(false)} />}
      </Suspense>
    </Drawer>
  );
}
