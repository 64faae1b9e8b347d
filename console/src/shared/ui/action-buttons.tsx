import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown, Space } from 'antd';
import { actionItems } from './action-items';
import type { RowAction } from './data-table';
import { RefusableButton } from './refusable-button';

interface Props {
  actions: readonly RowAction[];
  /** Number of visible actions; the others are in a menu. */
  shown: number;
  /** In a table's row: small, and named after what it is done to. */
  compact: boolean;
  /** One of them is under way. */
  isPending: boolean;
  /** What a button of a row is called. */
  nameOf: (action: RowAction) => string;
  moreLabel: string;
}

/** What can be done with one thing, as buttons of a page's head or of a row. */
export function ActionButtons({ actions, shown, compact, isPending, nameOf, moreLabel }: Props) {
  const rest = actions.slice(shown);
  return (
    <Space size={compact ? 0 : 'small'}>
      {actions.slice(0, shown).map((action) => (
        <RefusableButton
          key={action.key}
          type={compact ? 'link' : 'default'}
          danger={action.danger ?? false}
          icon={compact ? undefined : action.icon}
          loading={!compact && isPending}
          refused={action.refused}
          aria-label={compact ? nameOf(action) : undefined}
          onClick={isPending ? undefined : action.run}
        >
          {action.label}
        </RefusableButton>
      ))}
      {rest.length > 0 && (
        <Dropdown autoFocus trigger={['click']} menu={{ items: actionItems(rest) }}>
          <Button
            type={compact ? 'text' : 'default'}
            icon={<EllipsisOutlined />}
            disabled={isPending}
            aria-label={moreLabel}
          />
        </Dropdown>
      )}
    </Space>
  );
}
