import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { actionItems } from '@/shared/ui/action-items';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { MENU_KEY, type Steering } from './queries';
import type { Opened } from './use-service-actions';

interface Props {
  rows: readonly ManagedService[];
  steer: (verb: Steering, services: readonly ManagedService[]) => void;
  open: (opened: Opened) => void;
}

const verbs: readonly Steering[] = ['start', 'stop', 'restart', 'force-stop'];

/** What can be asked of the chosen services; each button concerns those whose state allows it. */
export function BulkActions({ rows, steer, open }: Props) {
  const { t } = useTranslation('service');
  if (!useMay(MENU_KEY)('operate')) return null;
  const able = (verb: ManagedService['actions'][number]) => rows.filter((row) => row.actions.includes(verb));
  const noneOf = (possible: readonly ManagedService[]) => {
    if (rows.length === 0) return t('selectFirst');
    return possible.length === 0 ? t('noneAllows') : undefined;
  };
  const movable = able('transfer');
  const placeable = able('place');
  // Hosts to choose from are those of one container.
  const isApart = new Set(placeable.map(({ containerid }) => containerid)).size > 1;
  const others = [
    {
      key: 'place',
      label: t('verb.place'),
      refused: isApart ? t('onePlace') : noneOf(placeable),
      run: () => open({ kind: 'place', services: placeable }),
    },
    {
      key: 'transfer',
      label: t('verb.transfer'),
      refused: noneOf(movable),
      run: () => open({ kind: 'transfer', services: movable }),
    },
  ];
  return (
    <Space.Compact>
      {verbs.map((verb) => (
        <RefusableButton
          key={verb}
          danger={verb === 'force-stop'}
          refused={noneOf(able(verb))}
          onClick={() => steer(verb, able(verb))}
        >
          {t(`verb.${verb}`)}
        </RefusableButton>
      ))}
      <Dropdown autoFocus menu={{ items: actionItems(others) }} trigger={['click']}>
        <Button icon={<EllipsisOutlined />} aria-label={t('others')} />
      </Dropdown>
    </Space.Compact>
  );
}
