import { BellOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserRecord } from '@/shared/api';
import { useUnreadCount } from './queries';
import './bell.css';

const AlertDrawer = lazy(() => import('./drawer'));

const MAX_SHOWN = 99;

/** How many alerts are unread; a click opens them. */
export function AlertBell({ user }: { user: UserRecord | undefined }) {
  const { t } = useTranslation('alert');
  const unread = useUnreadCount();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        type="text"
        size="middle"
        aria-label={t('bell', { count: unread })}
        onClick={() => setOpen(true)}
        icon={
          <span className="alert-bell">
            <BellOutlined />
            {unread > 0 && (
              <span className="alert-count">{unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}</span>
            )}
          </span>
        }
      />
      <Suspense fallback={null}>
        {isOpen && <AlertDrawer user={user} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
