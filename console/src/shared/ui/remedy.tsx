import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button';
import './remedy.css';

/** How something is mended: statements or settings to run, with a button that copies them. */
export function Remedy({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div className="remedy">
      <span>{t('remedy.label')}</span>
      <pre>{text}</pre>
      <CopyButton text={text} label={t('remedy.copy')} />
    </div>
  );
}
