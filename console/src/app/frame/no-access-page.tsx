import { Result } from 'antd';
import { useTranslation } from 'react-i18next';

export function NoAccessPage() {
  const { t } = useTranslation();
  return <Result status="403" title={t('failure.noAccess')} subTitle={t('failure.noAccessHint')} />;
}
