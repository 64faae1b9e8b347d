import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import type { Kind } from './kind';
import { KindPicker } from './kind-picker';

interface Props {
  open: boolean;
  /** None: they are on their way. */
  kinds: readonly Kind[] | undefined;
  /** In their place until they come. */
  waiting?: ReactNode;
  chosen: string | undefined;
  onChoose: (kind: Kind) => void;
  onClose: () => void;
}

/** The specification's "choose data source type" dialog; choosing closes it. */
export function KindDialog({ open, kinds, waiting, chosen, onChoose, onClose }: Props) {
  const { t } = useTranslation('data-source');
  const isActive = usePageActive();
  return (
    <Modal
      title={t('kind.choose')}
      open={open && isActive}
      onCancel={onClose}
      footer={null}
      width={760}
      destroyOnHidden
    >
      {kinds ? (
        <KindPicker
          kinds={kinds}
          chosen={chosen}
          onChoose={(kind) => {
            onChoose(kind);
            onClose();
          }}
        />
      ) : (
        waiting
      )}
    </Modal>
  );
}
