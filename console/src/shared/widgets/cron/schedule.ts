import { Cron } from 'croner';

/** The five fields of a cron expression, in their order. */
export const cronFields = ['minute', 'hour', 'day', 'month', 'weekday'] as const;
export type CronField = (typeof cronFields)[number];
export type CronParts = Record<CronField, string>;

export function splitCron(expression: string): CronParts {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = expression.trim().split(/\s+/);
  return { minute, hour, day, month, weekday };
}

export function joinCron(parts: CronParts): string {
  return cronFields.map((field) => parts[field].trim() || '*').join(' ');
}

/** The next moments of an expression of five fields in a time zone. Throws an Error when it is not one. */
export function nextRuns(expression: string, count: number, zone: string, from = new Date()): Date[] {
  return new Cron(expression, { timezone: zone, paused: true, mode: '5-part' }).nextRuns(count, from);
}

/** Whether an expression has five fields that make sense and a moment that ever comes. */
export function isCron(expression: string): boolean {
  try {
    return nextRuns(expression, 1, 'UTC').length === 1;
  } catch {
    return false;
  }
}
