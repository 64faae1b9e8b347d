// The page's script does no more than begin to fetch, and imports next to nothing. Who is signed in will see the frame:
// it comes beside what starts the console, not after it.
import { currentToken } from '@/shared/api/token';

import('./start');
// Whoever draws it imports it again, and says so when it can't be had.
if (currentToken() !== undefined) import('./app/frame/frame').catch(() => undefined);
