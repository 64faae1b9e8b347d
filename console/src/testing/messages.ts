import { startI18n } from '@/app/i18n';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

/** Loads the real messages in one language, as the app does when it starts. */
export async function loadMessages(locale: 'zh' | 'en'): Promise<void> {
  local.set(storeKeys.locale, locale);
  await startI18n();
}
