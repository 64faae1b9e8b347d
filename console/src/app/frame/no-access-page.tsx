import { useTranslation } from 'react-i18next';
import { Result } from '@/shared/ui/result';

export function NoAccessPage() {
  const { t } = useTranslation();
  return <Result status="locked" isPage title={t('failure.noAccess')} subTitle={t('failure.noAccessHint')} />;
}
