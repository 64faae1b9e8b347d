import { App } from 'antd';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';

interface Danger {
  /** What will happen, as a question. */
  title: ReactNode;
  /** To what: names and counts, and what stays. */
  content: ReactNode;
  /** The verb on the button. */
  action: string;
  /** Runs while the dialog shows that it runs; when it throws the dialog stays open for another try. */
  run: () => Promise<unknown>;
  /** Called when the viewer thinks better of it. */
  onDecline?: () => void;
}

/** Asks before something that can't be taken back. Closes by its buttons and Escape only. */
export function useConfirmDanger(): (danger: Danger) => void {
  const { modal } = App.useApp();
  const { t } = useTranslation();
  return useCallback(
    ({ title, content, action, run, onDecline }) => {
      modal.confirm({
        title,
        content,
        okText: action,
        okButtonProps: { danger: true },
        cancelText: t('action.cancel'),
        focusable: { autoFocusButton: 'cancel' },
        mask: { closable: false },
        onOk: run,
        onCancel: () => onDecline?.(),
      });
    },
    [modal, t],
  );
}
