import { call, type KeyAnswer, secondFactorAskKey } from '@/shared/api';
import { signWithKey } from '@/shared/lib/security-key';

/** What proves that it is the viewer: the password, and a code or a use of a security key. */
export interface Proof {
  currentPassword: string;
  code: string;
  key: KeyAnswer | null;
}

/** A use of one of the viewer's security keys, which the server asks for. */
export async function askedKey(): Promise<KeyAnswer> {
  return signWithKey<KeyAnswer>((await call(secondFactorAskKey())).options);
}

/** The proof as entered; a security key where no code was. */
export async function proofOf(entered: { currentPassword: string; code?: string }): Promise<Proof> {
  const { currentPassword, code = '' } = entered;
  return { currentPassword, code, key: code.trim() === '' ? await askedKey() : null };
}

/** Where the viewer's security keys work: not at all, at another address of the console (which is it), or here. */
export function keyPlace(address: string | null): 'none' | 'here' | 'elsewhere' {
  if (address === null) return 'none';
  return address === window.location.origin ? 'here' : 'elsewhere';
}
