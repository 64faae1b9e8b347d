import { useTranslation } from 'react-i18next';
import { LookMark } from '@/shared/ui/state-tag';

const looks = { '0': 'good', '1': 'warning', '2': 'quiet' } as const;

export type AccountStatus = keyof typeof looks;

/** Normal, disabled or cancelled; tenants know the first two. */
export function StatusMark({ status }: { status: AccountStatus }) {
  const { t } = useTranslation('authority');
  return <LookMark look={looks[status]} label={t(`status.${status}`)} />;
}
