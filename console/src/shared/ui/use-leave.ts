import { App } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Takes a question back that was not answered yet. */
type TakeBack = () => void;

/**
 * Leaves at once where nothing was changed, and asks before what was filled in is dropped. `pages`: where something was
 * filled in, where that is not the page in front alone.
 */
export function useLeave(): (
  isChanged: boolean,
  leave: () => void,
  pages?: readonly string[],
) => TakeBack | undefined {
  const { t, i18n } = useTranslation();
  const { modal } = App.useApp();
  return useCallback(
    (isChanged, leave, pages) => {
      if (!isChanged) {
        leave();
        return undefined;
      }
      const named = pages && new Intl.ListFormat(i18n.language).format(pages);
      const { destroy } = modal.confirm({
        title: t('form.leaveTitle'),
        content: named ? t('form.leaveHintOf', { pages: named }) : t('form.leaveHint'),
        okText: t('form.leave'),
        cancelText: t('form.stay'),
        focusable: { autoFocusButton: 'cancel' },
        onOk: leave,
      });
      return destroy;
    },
    [modal, t, i18n.language],
  );
}
