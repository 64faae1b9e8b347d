import type { LoginAnswer } from '@/shared/api';
import { keepToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

/** Keeps the session, or leaves for the viewer's own console where the answer names one. Answers whether to stay. */
export function enter(answer: LoginAnswer): boolean {
  if (answer.frontAddress) {
    window.location.assign(answer.frontAddress);
    return false;
  }
  keepToken(answer.token ?? '');
  local.set(storeKeys.user, answer.user);
  local.set(storeKeys.customers, answer.customerList);
  // Signing in elsewhere in this console brings none; it stays good for who has signed in here.
  if (answer.device) local.set(storeKeys.device, answer.device);
  // Where signing out leads, and whether it is offered at all: what the sign-in before said holds no longer.
  keep(storeKeys.sourceUrl, answer.sourceUrl);
  keep(storeKeys.loginFree, answer.loginFree || undefined);
  return true;
}

function keep(key: string, value: unknown): void {
  if (value === undefined || value === null) local.remove(key);
  else local.set(key, value);
}
