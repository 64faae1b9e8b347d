import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button';
import './remedy.css';

interface Props {
  /** Statements or settings to run. */
  text: string;
  /** What to do, in words. */
  advice?: string;
}

/** How something is mended: in words, and by statements or settings with a button that copies them. */
export function Remedy({ text, advice = '' }: Props) {
  const { t } = useTranslation();
  if (!text && !advice) return null;
  return (
    <div className="remedy">
      <span>{t('remedy.label')}</span>
      <div>
        {advice && <p>{advice}</p>}
        {text && <pre>{text}</pre>}
      </div>
      {text && <CopyButton text={text} label={t('remedy.copy')} />}
    </div>
  );
}
