import { local, session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { dropToken, isLeaving } from './token';

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
  session.remove(storeKeys.registrationNoticed);
  session.remove(storeKeys.linkDraft);
  sessionEvents.dispatchEvent(new Event('ended'));
}

let reloading: ReturnType<typeof setTimeout> | undefined;

/** What the reload is for has come about without it; now it would only take away what is being filled in. */
export function cancelReload(): void {
  clearTimeout(reloading);
  reloading = undefined;
}

/**
 * The server no longer knows the session: forget it and reload the page, at most once in five seconds (a reload
 * that comes too early waits). The guard then leads to the sign-in page, which shows `message`.
 */
export function expireSession(message: string): void {
  if (isLeaving()) return;
  clearSession();
  session.set(storeKeys.farewell, message);
  const early = (session.get<number>(storeKeys.expiredAt) ?? 0) + RELOAD_PAUSE - Date.now();
  if (reloading === undefined) reloading = setTimeout(reload, Math.max(0, early));
}

function reload(): void {
  reloading = undefined;
  session.set(storeKeys.expiredAt, Date.now());
  window.location.reload();
}

/** What the last page wanted said on the sign-in page; it stays until that page has said it (`dropFarewell`). */
export function farewell(): string | undefined {
  return session.get<string>(storeKeys.farewell);
}

export function dropFarewell(): void {
  session.remove(storeKeys.farewell);
  cancelReload();
}
