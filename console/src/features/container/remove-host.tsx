import { useTranslation } from 'react-i18next';
import { audited, call, clusterDeleteHost, type HostRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

/** Removes a lost host from the list; a host with contact cannot be removed. */
export function RemoveHost({ host }: { host: HostRecord }) {
  const { t } = useTranslation('container');
  const may = useMay('container');
  const refresh = useRefresh();
  if (!may('delete')) return null;
  const { services, pinned } = host;
  const remove = () =>
    confirmDelete({
      title: t('removeHostTitle', { host: host.host }),
      content: [
        t('removeHostHint', { time: time(host.heartbeatAt) }),
        services > 0 ? t('removeHostServices', { services, pinned }) : '',
      ].join(' '),
      dependants: { deleting: 'container/host/delete', id: host.id },
      mode: 'post',
      run: async (proof) => {
        await call(clusterDeleteHost({ body: { deviceId: host.id, ...proof }, ...audited(host) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('hostRemoved', { host: host.host }));
        await refresh();
      },
    });
  return (
    <RefusableButton
      type="link"
      danger
      refused={host.alive ? t('hostAlive') : undefined}
      aria-label={t('removeHostOf', { host: host.host })}
      onClick={remove}
    >
      {t('removeHost')}
    </RefusableButton>
  );
}
