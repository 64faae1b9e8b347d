import type { LoginAnswer } from '@/shared/api';
import { keepToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

/** Keeps the session, or leaves for the viewer's own console where the answer names one. Answers whether to stay. */
export function enter({ token, user, customerList, frontAddress }: LoginAnswer): boolean {
  if (frontAddress) {
    window.location.assign(frontAddress);
    return false;
  }
  keepToken(token ?? '');
  local.set(storeKeys.user, user);
  local.set(storeKeys.customers, customerList);
  return true;
}
