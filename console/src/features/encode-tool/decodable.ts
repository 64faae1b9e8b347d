const DECODABLE = /^[A-Za-z0-9_/^$.,;:'!@#%&*|?+()]+$/;

/** Chapter 5: not empty, and only letters, digits, underscore and / ^ $ . , ; : ' ! @ # % & * | ? + ( ) */
export function isDecodable(input: string): boolean {
  return DECODABLE.test(input);
}
