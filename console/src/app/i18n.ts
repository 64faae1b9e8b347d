import { startTranslation } from '@/shared/i18n/start';

type Messages = { default: object };

const files = {
  ...import.meta.glob<Messages>('../features/*/locales/*.json'),
  ...import.meta.glob<Messages>('./locales/*/*.json'),
  ...import.meta.glob<Messages>('../shared/i18n/locales/*/*.json'),
};

function pathOf(locale: string, namespace: string): string | undefined {
  return [
    `../features/${namespace}/locales/${locale}.json`,
    `./locales/${locale}/${namespace}.json`,
    `../shared/i18n/locales/${locale}/${namespace}.json`,
  ].find((path) => path in files);
}

/** Loads the common messages, and beside them those of `namespaces`: what is drawn first needs them. */
export function startI18n(namespaces: readonly string[] = []): Promise<void> {
  return startTranslation((locale, namespace) => {
    const path = pathOf(locale, namespace);
    return path ? files[path]?.().then((module) => module.default) : undefined;
  }, namespaces);
}
