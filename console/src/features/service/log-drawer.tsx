import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { type LogLevel, LogViewer } from '@/shared/ui/log-viewer';
import { readable } from './log-line';
import { useLogLines } from './queries';

/** A service's log, searched where it runs and followed as it grows. */
export default function LogDrawer({ service, onClose }: { service: ManagedService; onClose: () => void }) {
  const { t } = useTranslation(['service', 'machine']);
  const [asked, setAsked] = useState<{ text: string; level: LogLevel }>({ text: '', level: 'debug' });
  const query = useLogLines(service.id, asked);
  const { data, error, refetch } = query;
  const lines = useMemo(
    () => (data?.lines ?? []).map((line, index) => readable(line, String(index))),
    [data?.lines],
  );
  const title = t('machine:logOf', { name: service.serviceName });
  return (
    <Drawer open title={title} size="70%" onClose={onClose} extra={<LiveMark query={query} />}>
      {!data && !error && <LoadingState rows={8} />}
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      {data && (
        <>
          {data.more && <p>{t('service:olderLines')}</p>}
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
