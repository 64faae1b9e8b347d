import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type NoticeDeliveryRecord,
  notificationDeleteReceiver,
  notificationResendDelivery,
  notificationTestReceiver,
  type ReceiverRecord,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

/** Why a test failed is more to read than that it did not. */
const LONG_SECONDS = 10;

/** What can be done with receivers and deliveries; each says what became of it. */
export function useNoticeActions() {
  const { t } = useTranslation('notification');
  const refresh = useRefresh();
  return useMemo(
    () => ({
      resend: ({ id, receiverName }: NoticeDeliveryRecord) =>
        call(notificationResendDelivery({ body: { id } }))
          .then(() => notify('success', t('resent', { name: receiverName })), reportFailure('status'))
          .then(refresh, () => undefined),
      test: ({ id, name }: ReceiverRecord) => {
        notify('info', t('testing', { name }));
        return call(notificationTestReceiver({ body: { id } }))
          .then(({ state, reason }) => {
            if (state === 'sent') notify('success', t('tested', { name }));
            else notify('error', t('testFailed', { name, reason: reason?.text }), LONG_SECONDS);
          }, reportFailure('status'))
          .then(refresh, () => undefined);
      },
      remove: (receiver: ReceiverRecord) =>
        confirmDelete({
          title: t('deleteTitle', { name: receiver.name }),
          content: t('deleteHint', { count: receiver.waiting }),
          action: t('delete'),
          dependants: null,
          mode: 'post',
          run: async (proof) => {
            await call(
              notificationDeleteReceiver({ body: { id: receiver.id, ...proof }, ...audited(receiver) }),
            ).catch(reportFailure('delete'));
            notify('success', t('deleted', { name: receiver.name }));
            await refresh();
          },
        }),
    }),
    [t, refresh],
  );
}
