import { useTranslation } from 'react-i18next';
import { useSystemConfig } from '@/shared/hooks/use-system-config';
import { useDeployment } from '../session';

/** The foot of the menu: the configured text, which version runs here, and how it is deployed. */
export function Deployment() {
  const { t } = useTranslation('frame');
  const { version, type } = useDeployment();
  const text = useSystemConfig()?.leftLowerText;
  if (version === undefined || type === undefined) return null;
  return (
    <div className="frame-deployment">
      {text && <span className="frame-left-lower">{text}</span>}
      <span>{t('version', { version })}</span>
      <span>{t(`deployment.${type}`)}</span>
    </div>
  );
}
