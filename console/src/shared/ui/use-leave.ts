import { App } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

interface Asked {
  /** Hears of a no. */
  stay?: () => void;
  /** The pages where something was filled in, where these are not the one in front alone. */
  pages?: readonly string[];
}

/** Leaves at once where nothing was changed, and asks before what was filled in is dropped. */
export function useLeave(): (isChanged: boolean, leave: () => void, asked?: Asked) => void {
  const { t, i18n } = useTranslation();
  const { modal } = App.useApp();
  return useCallback(
    (isChanged, leave, { stay, pages } = {}) => {
      if (!isChanged) return leave();
      const named = pages && new Intl.ListFormat(i18n.language).format(pages);
      modal.confirm({
        title: t('form.leaveTitle'),
        content: named ? t('form.leaveHintOf', { pages: named }) : t('form.leaveHint'),
        okText: t('form.leave'),
        cancelText: t('form.stay'),
        focusable: { autoFocusButton: 'cancel' },
        onOk: leave,
        onCancel: stay,
      });
    },
    [modal, t, i18n.language],
  );
}
