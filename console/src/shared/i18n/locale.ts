import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

export type Locale = 'zh' | 'en';

/** The language in use; Chinese unless the viewer chose otherwise. */
export function currentLocale(): Locale {
  return local.get<Locale>(storeKeys.locale) === 'en' ? 'en' : 'zh';
}

/** Remembers the language and reloads: every text, also the server's, comes in the new one. */
export function switchLocale(locale: Locale): void {
  local.set(storeKeys.locale, locale);
  window.location.reload();
}
