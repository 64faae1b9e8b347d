const ALLOWED = /^[A-Za-z0-9!@#$%^&*,._]+$/;
const SHORTEST = 8;
const LONGEST = 16;

export type PasswordFault = 'empty' | 'length' | 'weak';

/** Chapter 5: 8 to 16 characters; upper case, lower case and a digit; from letters, digits and !@#$%^&*,._ */
export function passwordFault(password: string): PasswordFault | undefined {
  if (password === '') return 'empty';
  if (password.length < SHORTEST || password.length > LONGEST) return 'length';
  const isStrong = /[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password);
  return isStrong && ALLOWED.test(password) ? undefined : 'weak';
}
