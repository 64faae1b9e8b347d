import { currentLocale } from '@/shared/i18n/locale';
import { isUnattended } from '@/shared/lib/attended';
import { currentToken } from './token';

const SOURCE = 'zcbus-console';
export const TOKEN_HEADER = 'ZCBUS-TOKEN';

/** Marks calls of an unattended page, so that its polling does not keep an idle session open. */
const UNATTENDED_HEADER = 'ZCBUS-UNATTENDED';

/** What every call carries: the fixed marker, the language, and the token when signed in. */
export function callHeaders(): Record<string, string> {
  const token = currentToken();
  return {
    source: SOURCE,
    env: currentLocale(),
    ...(token ? { [TOKEN_HEADER]: token } : {}),
    ...(isUnattended() ? { [UNATTENDED_HEADER]: '1' } : {}),
  };
}
