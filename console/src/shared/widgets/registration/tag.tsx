import { useTranslation } from 'react-i18next';
import type { RegistrationRecord } from '@/shared/api';
import { registrationTag } from './registration';

/** How a registration stands, in a word. */
export function RegistrationTag({ record }: { record: RegistrationRecord }) {
  const { t } = useTranslation();
  const { text, look, days } = registrationTag(record, Date.now());
  return (
    <span className="state-tag" data-look={look}>
      {t(`registration.${text}`, { days })}
    </span>
  );
}
