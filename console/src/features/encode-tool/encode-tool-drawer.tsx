import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { EncodeTool } from './encode-tool';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** The same tool in a drawer over the current page; opened from the toolset. */
export default function EncodeToolDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('encode-tool');
  return (
    <Drawer title={t('title')} open={open} onClose={onClose} size="70%" destroyOnHidden>
      <EncodeTool />
    </Drawer>
  );
}
