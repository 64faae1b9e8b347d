// The page's script does no more than begin to fetch, and imports next to nothing. Who is signed in will see the frame:
// it loads in parallel with the console's start, and so do the messages of both.
import { fetchKitWords } from '@/app/frame/kit-words';
import { firstNamespaces, loadMessages } from '@/app/messages';
import { currentToken } from '@/shared/api/token';
import { currentLocale } from '@/shared/i18n/locale';
import { applyTheme } from '@/shared/theme/theme';

applyTheme();
const isSignedIn = currentToken() !== undefined;
const locale = currentLocale();
import('./start');
const begun = ['common', ...firstNamespaces(isSignedIn)].map((namespace) => loadMessages(locale, namespace));
if (isSignedIn) begun.push(import('./app/frame/frame'), fetchKitWords(locale));
// Their users import them again, and report a failure then.
for (const each of begun) each.catch(() => undefined);
