import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type RegistrationRecord, registrationDescribe } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { daysLeft, registrationStatus } from '@/shared/widgets/registration/registration';
import { RegistrationTag } from '@/shared/widgets/registration/tag';
import { useSignedInUser } from '../session';

const ENTRY = 'System.Register';

/** State of the registration, for users with its menu entry who are no remote clients. */
function useRegistration(): RegistrationRecord | undefined {
  const user = useSignedInUser();
  return useQuery({
    queryKey: ['session', 'registration'],
    queryFn: ({ signal }) => call(registrationDescribe({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: user !== undefined && !user.clientRemote && user.menuPermission.includes(ENTRY),
  }).data;
}

/** In the frame's head, how the registration stands. */
export function HeadRegistration() {
  const record = useRegistration();
  return record ? <RegistrationTag record={record} /> : null;
}

/** What is wrong with the registration, as a text; undefined while all is well. */
function useFault({ status, endTime }: Partial<RegistrationRecord>): string | undefined {
  const { t } = useTranslation('frame');
  if (status === registrationStatus.unregistered) return t('registration.invalidNotice');
  if (status === registrationStatus.expired) return t('registration.expiredNotice');
  if (status !== registrationStatus.aboutToExpire || !endTime) return undefined;
  const days = daysLeft(endTime, Date.now());
  return t('registration.aboutToExpireNotice', { date: time(endTime), days });
}

/** Says so above the pages, where it hides nothing that is worked with, until it was closed once since signing in. */
export function RegistrationNotice() {
  const { t } = useTranslation();
  const record = useRegistration();
  const fault = useFault(record ?? {});
  const [isClosed, setClosed] = useState(() => session.get<boolean>(storeKeys.registrationNoticed) === true);
  if (!fault || isClosed) return null;
  const close = () => {
    session.set(storeKeys.registrationNoticed, true);
    setClosed(true);
  };
  const kind = record?.status === registrationStatus.aboutToExpire ? 'warning' : 'error';
  return (
    <div role="status" className="frame-notice" data-kind={kind}>
      <strong>{t('tips')}</strong>
      <span>{fault}</span>
      <button type="button" className="frame-notice-close" onClick={close}>
        {t('action.close')}
      </button>
    </div>
  );
}
