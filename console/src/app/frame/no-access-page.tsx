import { Result } from 'antd';
import { useTranslation } from 'react-i18next';

export function NoAccessPage() {
  const { t } = useTranslation();
  return (
    <Result
      status="403"
      title={<h1 className="frame-result">{t('failure.noAccess')}</h1>}
      subTitle={t('failure.noAccessHint')}
    />
  );
}
