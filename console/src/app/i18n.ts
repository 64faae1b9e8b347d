import { startTranslation } from '@/shared/i18n/start';
import { loadMessages } from './messages';

/** Loads the common messages and those of `namespaces`, which the first render needs. */
export function startI18n(namespaces: readonly string[] = []): Promise<void> {
  return startTranslation(loadMessages, namespaces);
}
