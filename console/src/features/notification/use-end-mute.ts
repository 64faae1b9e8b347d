import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { alertEndMute, audited, call, type MuteRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { useRefresh } from './queries';

/** Asks, and ends a mute before its time. */
export function useEndMute(): (mute: MuteRecord) => void {
  const { t } = useTranslation('notification');
  const refresh = useRefresh();
  const confirm = useConfirmDanger();
  return useCallback(
    (mute: MuteRecord) =>
      confirm({
        title: t('endMuteTitle', {
          object: mute.objectName ?? t('anyObject'),
          kind: mute.kindName ?? t('anyKind'),
        }),
        content: t('endMuteHint'),
        action: t('endMute'),
        run: async () => {
          await call(alertEndMute({ body: { id: mute.id }, ...audited(mute) })).catch(
            reportFailure('status'),
          );
          notify('success', t('muteEnded'));
          await refresh();
        },
      }),
    [t, refresh, confirm],
  );
}
