import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { RowAction } from './types';

const SHOWN = 2;

function ActionButton({ action }: { action: RowAction }) {
  const button = (
    <Button
      type="link"
      icon={action.icon}
      danger={action.danger}
      // Not `disabled`: the reason must be reachable by keyboard.
      aria-disabled={action.refused !== undefined}
      className={action.refused === undefined ? undefined : 'row-action-refused'}
      onClick={() => action.refused === undefined && action.run()}
    >
      {action.label}
    </Button>
  );
  return action.refused ? <Tooltip title={action.refused}>{button}</Tooltip> : button;
}

interface Props {
  actions: readonly RowAction[];
  /** How many stand beside each other; the rest is in a menu. */
  shown?: number;
}

/** What can be done with a row. */
export function RowActions({ actions, shown = SHOWN }: Props) {
  const { t } = useTranslation();
  // A menu for one action alone would cost a click and save no room.
  const first = actions.length === shown + 1 ? actions : actions.slice(0, shown);
  const rest = actions.slice(first.length);
  return (
    <span className="row-actions">
      {first.map((action) => (
        <ActionButton key={action.key} action={action} />
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map(({ key, label, icon, danger, refused }) => ({
              key,
              icon,
              danger,
              disabled: refused !== undefined,
              label,
              title: refused,
            })),
            onClick: ({ key }) => rest.find((action) => action.key === key)?.run(),
          }}
        >
          <Button type="text" icon={<EllipsisOutlined />} aria-label={t('action.more')} />
        </Dropdown>
      )}
    </span>
  );
}
