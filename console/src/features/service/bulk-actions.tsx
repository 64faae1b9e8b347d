import { Button, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { MENU_KEY, type Steering } from './queries';
import type { Opened } from './services-page';

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
      <Button
        disabled={able('transfer').length === 0}
        onClick={() => open({ kind: 'transfer', services: able('transfer') })}
      >
        {t('verb.transfer')}
      </Button>
    </Space.Compact>
  );
}
