import { useTranslation } from 'react-i18next';
import { useSystemConfig } from '@/shared/hooks/use-system-config';

/** The system's text, else the product's name, and the number that authorities gave the site. */
export function Footer() {
  const { t } = useTranslation('frame');
  const { footerTxt, caseNumber } = useSystemConfig() ?? {};
  return (
    <footer className="frame-footer">
      <span>{footerTxt || t('brand')}</span>
      {caseNumber && <span>{caseNumber}</span>}
    </footer>
  );
}
