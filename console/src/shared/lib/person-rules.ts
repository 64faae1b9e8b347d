export type IdFault = 'empty' | 'length' | 'invalid';

export const ID_CARD = '0';

const CARD_NUMBER = /^(\d{15}|\d{18}|\d{17}[\dXx])$/;
const MOBILE = /^1(3\d|4[5-9]|5[0-35-9]|6[2567]|7[0-8]|8\d|9[0-35-9])\d{8}$/;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** Chapter 5: an ID card has 15 or 18 characters, digits but for an X at the end of 18; other documents have any. */
export function idFault(number: string, documentType: string | undefined): IdFault | undefined {
  if (number === '') return 'empty';
  if (documentType !== ID_CARD) return undefined;
  if (number.length !== 15 && number.length !== 18) return 'length';
  return CARD_NUMBER.test(number) ? undefined : 'invalid';
}

/** Chapter 5: eleven digits that begin with 1 and a group that is in use. */
export function isMobile(phone: string): boolean {
  return MOBILE.test(phone);
}

export function isEmail(email: string): boolean {
  return EMAIL.test(email);
}
