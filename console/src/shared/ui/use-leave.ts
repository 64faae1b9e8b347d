import { App } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Leaves at once where nothing was changed, and asks before what was filled in is dropped. */
export function useLeave(): (isChanged: boolean, leave: () => void) => void {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  return useCallback(
    (isChanged, leave) => {
      if (!isChanged) return leave();
      modal.confirm({
        title: t('form.leaveTitle'),
        content: t('form.leaveHint'),
        okText: t('form.leave'),
        cancelText: t('form.stay'),
        autoFocusButton: 'cancel',
        onOk: leave,
      });
    },
    [modal, t],
  );
}
