const ALLOWED = /^[A-Za-z0-9!@#$%^&*,._]+$/;
const SHORTEST = 8;
/** Until the platform has said how long a password may be here. */
export const USUAL_LONGEST = 16;

export type PasswordFault = 'empty' | 'length' | 'weak';

/** Chapter 5: 8 to `longest` characters; upper case, lower case and a digit; from letters, digits and !@#$%^&*,._ */
export function passwordFault(password: string, longest = USUAL_LONGEST): PasswordFault | undefined {
  if (password === '') return 'empty';
  if (password.length < SHORTEST || password.length > longest) return 'length';
  const isStrong = /[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password);
  return isStrong && ALLOWED.test(password) ? undefined : 'weak';
}
