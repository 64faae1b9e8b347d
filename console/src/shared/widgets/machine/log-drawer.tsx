import { keepPreviousData } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  serviceSearchLog,
  terminalOpenHostLog,
  terminalOpenLog,
  terminalSearchHostLog,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { type LogLevel, LogViewer } from '@/shared/ui/log-viewer';
import { TerminalDialog } from '@/shared/widgets/terminal';
import { readable } from './log-line';

/** Whose log: that of a service, or that of the agent on a host. */
export interface LogSource {
  kind: 'service' | 'host';
  id: string;
  name: string;
}

interface Props {
  source: LogSource;
  onClose: () => void;
}

interface Asked {
  text: string;
  level: LogLevel;
}

/** The newest lines that match, again and again. */
function useLogLines({ kind, id }: LogSource, asked: Asked) {
  return useLive({
    queryKey: ['log', kind, id, asked],
    queryFn: ({ signal }) =>
      kind === 'host'
        ? call(terminalSearchHostLog({ body: { deviceId: id, ...asked }, signal }))
        : call(serviceSearchLog({ body: { id, ...asked }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A log, searched on the host where it is and followed as it grows. */
export default function LogDrawer({ source, onClose }: Props) {
  const { t } = useTranslation('machine');
  const [asked, setAsked] = useState<Asked>({ text: '', level: 'debug' });
  const query = useLogLines(source, asked);
  const { data, error, refetch } = query;
  const lines = useMemo(
    () => (data?.lines ?? []).map((line, index) => readable(line, String(index))),
    [data?.lines],
  );
  const title = t('logOf', { name: source.name });
  return (
    <Drawer
      open
      title={title}
      size="70%"
      onClose={onClose}
      extra={
        <>
          <LiveMark query={query} /> <TerminalButton source={source} />
        </>
      }
    >
      {!data && !error && <LoadingState rows={8} />}
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      {data && (
        <>
          {data.more && <p>{t('olderLines')}</p>}
          <LogViewer
            name={title}
            lines={lines}
            height={window.innerHeight - 220}
            onNarrow={(text, level) => setAsked({ text: text.trim(), level })}
          />
        </>
      )}
    </Drawer>
  );
}

function TerminalButton({ source }: { source: LogSource }) {
  const { t } = useTranslation('machine');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('logTerminal')}</Button>
      {isOpen && <LogTerminal source={source} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A log in a terminal: its newest lines, what comes, all of it as a file. */
export function LogTerminal({ source, onClose }: Props) {
  const { t } = useTranslation('machine');
  const body = { deviceId: source.id };
  const open = source.kind === 'host' ? terminalOpenHostLog : terminalOpenLog;
  return (
    <TerminalDialog
      title={t('logOf', { name: source.name })}
      open={() => call(open({ body }))}
      isLog
      onClose={onClose}
    />
  );
}
