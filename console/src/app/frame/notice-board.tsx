import { App } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotices } from '@/shared/lib/notices';

/** Shows waiting notices with the kit. Screen readers announce them: errors at once, the others in a pause. */
export function NoticeBoard() {
  const { notification } = App.useApp();
  const { t } = useTranslation();
  const { waiting, drop } = useNotices();
  useEffect(() => {
    for (const notice of waiting) {
      notification[notice.kind]({
        key: notice.text,
        title: t('tips'),
        description: notice.text,
        duration: notice.seconds,
        role: notice.kind === 'error' ? 'alert' : 'status',
      });
      drop(notice.id);
    }
  }, [waiting, drop, notification, t]);
  return null;
}
