import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

const DAY = 24 * 60 * 60 * 1000;

interface KeptToken {
  value: string;
  /** Milliseconds since 1970. */
  expires: number;
}

/** The session token, or undefined without a session or after a day. */
export function currentToken(): string | undefined {
  const kept = local.get<KeptToken>(storeKeys.token);
  return kept && kept.expires > Date.now() ? kept.value : undefined;
}

let leaving = false;

/**
 * The viewer signs out. Until the next sign-in, pages that still poll the server must not report that the
 * session is lost.
 */
export function beginFarewell(): void {
  leaving = true;
}

/** The viewer stays after all. */
export function endFarewell(): void {
  leaving = false;
}

export function isLeaving(): boolean {
  return leaving;
}

export function keepToken(value: string): void {
  leaving = false;
  local.set(storeKeys.token, { value, expires: Date.now() + DAY } satisfies KeptToken);
  setCookie(value, DAY / 1000);
}

export function dropToken(): void {
  local.remove(storeKeys.token);
  setCookie('', 0);
}

/** The server never reads it: a call of another site, which carries cookies, must not count as the viewer's. */
function setCookie(value: string, seconds: number): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent on plain http
  document.cookie = `${storeKeys.token}=${value}; Max-Age=${seconds}; Path=/; SameSite=Strict${secure}`;
}
