import { currentLocale } from '@/shared/i18n/locale';
import { isUnattended } from '@/shared/lib/attended';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { currentToken } from './token';

const SOURCE = 'zcbus-console';
export const TOKEN_HEADER = 'ZCBUS-TOKEN';

/** Marks calls of an unattended page, so that its polling does not keep an idle session open. */
const UNATTENDED_HEADER = 'ZCBUS-UNATTENDED';

/** Where the viewer came from to sign in, URL-encoded: the server's log says from which portal a call is. */
const SOURCE_URL_HEADER = 'ZCBUS-SOURCE-URL';

/** What every call carries: the fixed marker, the stored source, the language, and the token when signed in. */
export function callHeaders(): Record<string, string> {
  const token = currentToken();
  const sourceUrl = local.get<string>(storeKeys.sourceUrl);
  return {
    source: SOURCE,
    env: currentLocale(),
    ...(sourceUrl ? { [SOURCE_URL_HEADER]: encodeURIComponent(sourceUrl) } : {}),
    ...(token ? { [TOKEN_HEADER]: token } : {}),
    ...(isUnattended() ? { [UNATTENDED_HEADER]: '1' } : {}),
  };
}
