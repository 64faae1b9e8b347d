import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale, type Locale, switchLocale } from '@/shared/i18n/locale';
import './sign-in.css';

function LanguageSwitch() {
  const { t } = useTranslation('sign-in');
  const locale = currentLocale();
  return (
    <nav className="sign-in-languages" aria-label={t('switchLanguage')}>
      {(['zh', 'en'] as const satisfies Locale[]).map((key) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === locale}
          onClick={() => key !== locale && switchLocale(key)}
        >
          {t(`language.${key}`)}
        </button>
      ))}
    </nav>
  );
}

/** The frame of the pages that are open to everyone. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="sign-in">
      <LanguageSwitch />
      <main className="sign-in-card">
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
