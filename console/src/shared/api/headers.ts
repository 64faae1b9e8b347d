import { currentLocale } from '@/shared/i18n/locale';
import { currentToken } from './token';

const SOURCE = 'zcbus-console';
export const TOKEN_HEADER = 'ZCBUS-TOKEN';

/** What every call carries: the fixed marker, the language, and the token when signed in. */
export function callHeaders(): Record<string, string> {
  const token = currentToken();
  return {
    source: SOURCE,
    env: currentLocale(),
    ...(token ? { [TOKEN_HEADER]: token } : {}),
  };
}
