import { useTranslation } from 'react-i18next';
import { Result } from '@/shared/ui/result';

export function NoAccessPage() {
  const { t } = useTranslation();
  return (
    <Result
      status="locked"
      title={<h1 className="frame-result">{t('failure.noAccess')}</h1>}
      subTitle={t('failure.noAccessHint')}
    />
  );
}
