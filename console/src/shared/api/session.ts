import { local, session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { dropToken } from './token';

const RELOAD_PAUSE = 5000;

/** Fires "ended" when a session is forgotten (whatever was kept of its data must go), "demand" when a new password is. */
export const sessionEvents = new EventTarget();

/** Forgets who was signed in. The language, the menu's shape and the remembered user name stay. */
export function clearSession(): void {
  dropToken();
  for (const key of [storeKeys.user, storeKeys.customers, storeKeys.authInfo, storeKeys.breadcrumbs]) {
    local.remove(key);
  }
  session.remove(storeKeys.tabs);
  session.remove(storeKeys.linkDraft);
  sessionEvents.dispatchEvent(new Event('ended'));
}

/**
 * The server no longer knows the session: forget it and load the page anew, at most once in five seconds.
 * The guard then leads to the sign-in page, which shows `farewell`.
 */
export function expireSession(farewell: string): void {
  clearSession();
  const last = session.get<number>(storeKeys.expiredAt) ?? 0;
  if (Date.now() - last < RELOAD_PAUSE) return;
  session.set(storeKeys.expiredAt, Date.now());
  session.set(storeKeys.farewell, farewell);
  window.location.reload();
}

/** What the last page wanted said on the sign-in page; answered once. */
export function takeFarewell(): string | undefined {
  const text = session.get<string>(storeKeys.farewell);
  session.remove(storeKeys.farewell);
  return text;
}
