import type { ModalProps } from 'antd';
import type { ReactNode } from 'react';
import { RefusableButton } from './refusable-button';

interface Answer {
  /** Why the dialog cannot be answered yet; left out: it can. */
  refused: string | undefined;
  text: ReactNode;
  isPending?: boolean;
  onOk: () => void;
}

/** A dialog's buttons, of which the one that answers it says why it does nothing yet. */
export function refusableFooter({ refused, text, isPending = false, onOk }: Answer): ModalProps['footer'] {
  return (_, { CancelBtn }) => (
    <>
      <CancelBtn />
      <RefusableButton type="primary" refused={refused} loading={isPending} onClick={onOk}>
        {text}
      </RefusableButton>
    </>
  );
}
