import type { RegistrationRecord } from '@/shared/api';

const DAY = 24 * 60 * 60 * 1000;
const ABOUT_TO_EXPIRE = 30;

/** The specification's numbers. */
export const registrationStatus = { unregistered: 2, expired: 3, aboutToExpire: 6 } as const;

export type RegistrationLook = 'good' | 'warning' | 'bad';

export interface RegistrationTag {
  text: 'community' | 'unregistered' | 'expired' | 'aboutToExpire' | 'days';
  look: RegistrationLook;
  days: number;
}

/** Whole days until the registration ends; negative when it is over. */
export function daysLeft(endTime: string, now: number): number {
  return Math.floor((Date.parse(endTime) - now) / DAY);
}

/** Green with more than thirty days left, a warning from thirty to none, danger when it is over or there is none. */
export function registrationTag(
  { status, edition, endTime }: Pick<RegistrationRecord, 'status' | 'edition' | 'endTime'>,
  now: number,
): RegistrationTag {
  if (edition === 'community') return { text: 'community', look: 'good', days: 0 };
  if (status === registrationStatus.unregistered || endTime === null)
    return { text: 'unregistered', look: 'bad', days: 0 };
  const days = daysLeft(endTime, now);
  if (status === registrationStatus.expired || days < 0) return { text: 'expired', look: 'bad', days };
  return days <= ABOUT_TO_EXPIRE
    ? { text: 'aboutToExpire', look: 'warning', days }
    : { text: 'days', look: 'good', days };
}

/** Green up to 80 percent, a warning above, red when everything is used. */
export function usageLook(percent: number): RegistrationLook {
  if (percent >= 100) return 'bad';
  return percent > 80 ? 'warning' : 'good';
}
