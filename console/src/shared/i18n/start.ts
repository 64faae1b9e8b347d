import i18n, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { currentLocale, type Locale } from './locale';

/** Answers the messages of one namespace in one language; fails where there are none. */
export type MessageLoader = (locale: Locale, namespace: string) => Promise<object>;

function backend(load: MessageLoader): BackendModule {
  return {
    type: 'backend',
    init() {},
    read(locale, namespace, done) {
      load(locale as Locale, namespace).then(
        (found) => done(null, found as Record<string, string>),
        (error: Error) => done(error, null),
      );
    },
  };
}

/** Only the language in use is ever loaded, and a page's messages only with the page. */
export async function startTranslation(load: MessageLoader, namespaces: readonly string[]): Promise<void> {
  const locale = currentLocale();
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
  await i18n
    .use(backend(load))
    .use(initReactI18next)
    .init({
      lng: locale,
      fallbackLng: false,
      load: 'currentOnly',
      ns: ['common', ...namespaces],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
}
