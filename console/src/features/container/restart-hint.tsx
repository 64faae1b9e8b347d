import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';

/** Says that saving interrupts services, before it does. */
export function RestartHint({ services }: { services: number }) {
  const { t } = useTranslation('container');
  if (services === 0) return null;
  return (
    <Alert className="container-hint" type="warning" showIcon title={t('restartHint', { count: services })} />
  );
}
