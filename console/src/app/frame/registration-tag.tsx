import { useQuery } from '@tanstack/react-query';
import { App } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type RegistrationRecord, registrationDescribe } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { useSignedInUser } from '../session';
import { daysLeft, registrationStatus, registrationTag } from './registration';

const ENTRY = 'System.Register';

/** Says what is wrong with the registration, until it was closed once since signing in; without one it stays. */
function useRegistrationNotice(record: RegistrationRecord | undefined): void {
  const { notification } = App.useApp();
  const { t } = useTranslation(['frame', 'common']);
  useEffect(() => {
    if (!record || session.get<boolean>(storeKeys.registrationNoticed)) return;
    const say = (kind: 'error' | 'warning', description: string, duration?: number) =>
      notification[kind]({
        key: ENTRY,
        title: t('common:tips'),
        description,
        duration,
        role: 'status',
        // Where it hides nothing that is worked with.
        placement: 'bottomLeft',
        onClose: () => session.set(storeKeys.registrationNoticed, true),
      });
    const { status, endTime } = record;
    if (status === registrationStatus.unregistered) say('error', t('frame:registration.invalidNotice'), 0);
    if (status === registrationStatus.expired) say('error', t('frame:registration.expiredNotice'));
    if (status === registrationStatus.aboutToExpire && endTime) {
      const days = daysLeft(endTime, Date.now());
      say('warning', t('frame:registration.aboutToExpireNotice', { date: time(endTime), days }));
    }
  }, [record, notification, t]);
}

function Shown() {
  const { t } = useTranslation('frame');
  const { data } = useQuery({
    queryKey: ['session', 'registration'],
    queryFn: ({ signal }) => call(registrationDescribe({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useRegistrationNotice(data);
  if (!data) return null;
  const { text, look, days } = registrationTag(data, Date.now());
  return (
    <span className="state-tag" data-look={look}>
      {t(`registration.${text}`, { days })}
    </span>
  );
}

/** How the registration stands, for whoever has the entry for it and is no remote client. */
export function RegistrationTagOfViewer() {
  const user = useSignedInUser();
  return user && !user.clientRemote && user.menuPermission.includes(ENTRY) ? <Shown /> : null;
}
