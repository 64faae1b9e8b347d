import { startTranslation } from '@/shared/i18n/start';
import { loadMessages } from './messages';

/** Loads the common messages, and beside them those of `namespaces`: what is drawn first needs them. */
export function startI18n(namespaces: readonly string[] = []): Promise<void> {
  return startTranslation(loadMessages, namespaces);
}
