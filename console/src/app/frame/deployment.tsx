import { useTranslation } from 'react-i18next';
import { useDeployment } from '../session';

/** The foot of the menu: which version runs here, and how it is deployed. */
export function Deployment() {
  const { t } = useTranslation('frame');
  const { version, type } = useDeployment();
  if (version === undefined || type === undefined) return null;
  return (
    <div className="frame-deployment">
      <span>{t('version', { version })}</span>
      <span>{t(`deployment.${type}`)}</span>
    </div>
  );
}
