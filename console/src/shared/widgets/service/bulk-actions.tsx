import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { MENU_KEY, type Steering } from './queries';
import type { Opened } from './service-list';

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
  const movable = able('transfer');
  const placeable = able('place');
  const others = [
    // Hosts to choose from are those of one container.
    {
      key: 'place',
      label: t('verb.place'),
      disabled: new Set(placeable.map(({ containerid }) => containerid)).size !== 1,
    },
    { key: 'transfer', label: t('verb.transfer'), disabled: movable.length === 0 },
  ];
  const openOther = (key: string) =>
    open(key === 'place' ? { kind: 'place', services: placeable } : { kind: 'transfer', services: movable });
  return (
    <Space.Compact>
      {verbs.map((verb) => (
        <Button
          key={verb}
          danger={verb === 'force-stop'}
          disabled={able(verb).length === 0}
          onClick={() => steer(verb, able(verb))}
        >
          {t(`verb.${verb}`)}
        </Button>
      ))}
      <Dropdown menu={{ items: others, onClick: ({ key }) => openOther(key) }} trigger={['click']}>
        <Button icon={<EllipsisOutlined />} aria-label={t('others')} />
      </Dropdown>
    </Space.Compact>
  );
}
