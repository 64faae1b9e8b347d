import dayjs from 'dayjs';
import { currentLocale } from '@/shared/i18n/locale';

const SHORT_FROM = 10_000_000;
const EMPTY = '–';

// Making a formatter costs far more than using it, and long tables use it for every cell.
const full = new Intl.NumberFormat('en-US');
const short = {
  zh: new Intl.NumberFormat('zh-CN', { notation: 'compact', maximumSignificantDigits: 4 }),
  en: new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 }),
};
const viewersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `1,234,567`; full at any size. */
export function fullCount(value: number): string {
  return full.format(value);
}

/** `1,234,567`; from ten million short (`12.3 M`, `1230 万`), so pages show the full figure in a tooltip. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return EMPTY;
  return Math.abs(value) < SHORT_FROM ? fullCount(value) : shortCount(value);
}

function shortCount(value: number): string {
  return short[currentLocale()].format(value);
}

/** Rows per second; below ten with one decimal. */
export function rate(perSecond: number | null | undefined): string {
  if (perSecond === null || perSecond === undefined) return EMPTY;
  return `${perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))}/s`;
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Binary units: `1.5 MiB`. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return EMPTY;
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 1024 && unit < byteUnits.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${byteUnits[unit]}`;
}

const durationUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const;
type DurationUnit = (typeof durationUnits)[number][0];

/** What a language calls the units of time, at its shortest. */
function unitNames(tag: string): Record<DurationUnit, string> {
  const nameOf = (unit: DurationUnit) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' })
      .formatToParts(1)
      .find(({ type }) => type === 'unit')?.value ?? unit;
  return Object.fromEntries(durationUnits.map(([unit]) => [unit, nameOf(unit)])) as Record<
    DurationUnit,
    string
  >;
}

const names = { zh: unitNames('zh-CN'), en: unitNames('en-US') };

/** Milliseconds as two units, in the language in use: `3 m 12 s`; below one second `240 ms`; below ten seconds `2.4 s`. */
export function duration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return EMPTY;
  const value = Math.max(0, milliseconds);
  const { millisecond, second } = names[currentLocale()];
  if (value < 1000) return `${Math.round(value)} ${millisecond}`;
  if (value < 10_000) return `${(value / 1000).toFixed(1)} ${second}`;
  return twoUnits(Math.round(value / 1000) * 1000);
}

function twoUnits(value: number): string {
  const first = durationUnits.findIndex(([, size]) => value >= size);
  let rest = value;
  const parts: string[] = [];
  for (const [unit, size] of durationUnits.slice(first, first + 2)) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount} ${names[currentLocale()][unit]}`);
  }
  return parts.join(' ');
}

/** The specification's date format, in the viewer's zone. */
export function time(iso: string | number | Date | null | undefined): string {
  return iso === null || iso === undefined || iso === '' ? EMPTY : dayjs(iso).format('YYYY-MM-DD HH:mm:ss');
}

export function clock(at: number): string {
  return dayjs(at).format('HH:mm:ss');
}

/** The viewer's zone, e.g. `Asia/Shanghai`, for the tooltip of a time. */
export function zone(): string {
  return viewersZone;
}

/** `42.5%`, never 100% before all is done and never 0% once something is. */
export function percent(done: number, total: number): string {
  if (total <= 0) return EMPTY;
  const share = (done / total) * 100;
  if (done >= total) return '100%';
  if (done > 0 && share < 0.1) return '<0.1%';
  return `${Math.min(share, 99.9).toFixed(1)}%`;
}
