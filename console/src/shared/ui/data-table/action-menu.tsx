import { Dropdown } from 'antd';
import { actionItems } from '../action-items';
import type { RowAction } from './types';

interface Props {
  actions: readonly RowAction[];
  onClose: () => void;
}

/** The open menu of a row's further actions; it hangs where it is drawn and has the focus. */
export default function ActionMenu({ actions, onClose }: Props) {
  return (
    <Dropdown
      open
      autoFocus
      trigger={['click']}
      placement="bottomRight"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      menu={{ items: actionItems(actions), onClick: onClose }}
    >
      <span className="row-action-anchor" />
    </Dropdown>
  );
}
