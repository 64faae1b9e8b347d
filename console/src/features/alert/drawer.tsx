import { Button, Drawer, Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { AlertList } from './list';
import { status, useMarkRead, useUnreadCount } from './queries';
import './alert.css';

/** Unread alerts and the history, over 60 percent of the window. */
export default function AlertDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('alert');
  const markRead = useMarkRead();
  const unread = useUnreadCount();
  const confirm = useConfirmDanger();
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
        <Button disabled={unread === 0} onClick={markAll}>
          {t('markAll')}
        </Button>
      }
    >
      <Tabs
        items={[
          {
            key: 'unread',
            label: t('unread', { count: unread }),
            children: <AlertList of={status.unread} onLeave={onClose} />,
          },
          {
            key: 'history',
            label: t('history'),
            children: <AlertList of={status.history} onLeave={onClose} />,
          },
        ]}
      />
    </Drawer>
  );
}
