import { Dropdown } from 'antd';
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
      menu={{
        items: actions.map(({ key, label, icon, danger, refused }) => ({
          key,
          icon,
          danger,
          disabled: refused !== undefined,
          label,
          title: refused,
        })),
        onClick: ({ key }) => {
          onClose();
          actions.find((action) => action.key === key)?.run();
        },
      }}
    >
      <span className="row-action-anchor" />
    </Dropdown>
  );
}
