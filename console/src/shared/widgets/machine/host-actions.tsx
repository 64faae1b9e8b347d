import { Button, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AgentRecord, call, terminalOpenShell } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { TerminalDialog } from '@/shared/widgets/terminal';
import { LogButton } from './log-button';

// The home page has these buttons too, and no form otherwise.
const MachineDrawer = lazy(() => import('./machine-drawer'));

type Open = 'shell' | 'machine' | undefined;

/** A shell on an agent's host, the agent's log, and how to sign in there; nothing for those who may do neither. */
export function HostActions({ agent }: { agent: Pick<AgentRecord, 'id' | 'host'> }) {
  const { t } = useTranslation('machine');
  const may = useMay('container');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Space size={0}>
      {may('operate') && (
        <Button
          type="link"
          aria-label={t('terminalOf', { host: agent.host })}
          onClick={() => setOpen('shell')}
        >
          {t('terminal')}
        </Button>
      )}
      {may('edit') && (
        <Button
          type="link"
          aria-label={t('connectionOf', { host: agent.host })}
          onClick={() => setOpen('machine')}
        >
          {t('connection')}
        </Button>
      )}
      {may('operate') && <LogButton source={{ kind: 'host', id: agent.id, name: agent.host }} />}
      <Suspense fallback={null}>
        {open === 'machine' && <MachineDrawer deviceId={agent.id} onClose={close} />}
      </Suspense>
      {open === 'shell' && (
        <TerminalDialog
          title={t('terminalOf', { host: agent.host })}
          open={() => call(terminalOpenShell({ body: { deviceId: agent.id } }))}
          onClose={close}
        />
      )}
    </Space>
  );
}
