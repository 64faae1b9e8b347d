import type { MetricChoice, RuleRecord } from '@/shared/api';

type Unit = MetricChoice['unit'];

const MIB = 1024 * 1024;
const factors: Record<Unit, number> = { ms: 1000, bytes: MIB, rows: 1, percent: 1, count: 1 };
const names: Record<Unit, string> = { ms: 's', bytes: 'MiB', rows: '', percent: '%', count: '' };

/** What a limit is entered in: seconds, MiB or a number, of counters each second. */
export function unitOf({ unit, type }: Pick<MetricChoice, 'unit' | 'type'>): string {
  return `${names[unit]}${type === 'counter' ? '/s' : ''}`;
}

/** A figure of the metric's own unit as it is entered and shown. */
export function entered(value: number, unit: Unit): number {
  return value / factors[unit];
}

/** What was entered, in the metric's own unit. */
export function stored(value: number, unit: Unit): number {
  return value * factors[unit];
}

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

/** `5 s`, `1,024 MiB`, `12/s`. */
export function shown(value: number, { unit, type }: Pick<MetricChoice, 'unit' | 'type'>): string {
  const suffix = unitOf({ unit, type });
  return `${digits.format(entered(value, unit))}${suffix && !suffix.startsWith('/') ? ` ${suffix}` : suffix}`;
}

/** The figure of a rule as its list shows it. */
export function limitOf({ threshold, unit, metricType }: RuleRecord): string {
  return shown(threshold, { unit, type: metricType });
}
