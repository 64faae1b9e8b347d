/**
 * Times as clocks show them, without a zone: `2026-03-04T05:06`, `2026-03-04T05:06:07` where seconds are not 0, and of a
 * day alone `05:06`.
 */
export type Precision = 'second' | 'minute' | 'clock';

/** A whole moment, for the rules of forms. */
export const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;
/** A whole time of day. */
export const CLOCK = /^\d\d:\d\d$/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

// The signs of years, months, days, hours (two), minutes, seconds, and of the halves of the day, as Chinese writes them.
const NUMBERED = /^(\d{4})\s?[-/.\u5e74]\s?(\d{1,2})\s?[-/.\u6708]\s?(\d{1,2})(?!\d)(?:\s?\u65e5)?/;
const MONTH_FIRST = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})/;
const DAY_FIRST = /^(\d{1,2}) ([a-z]{3})[a-z]*\.?,? (\d{4})/;
const OF_DAY = /^(\d{1,2})(?:[:\u65f6\u70b9](?:(\d{1,2})(?:[:\u5206](?:(\d{1,2})\u79d2?)?)?)?)?$/;
const HALF = /(am|\u4e0a\u5348)|(pm|\u4e0b\u5348)/;

const two = (value: number) => String(value).padStart(2, '0');

/**
 * What a text says: as the console shows times, as either language writes them, or as copied from elsewhere. A day alone
 * begins at midnight. Nothing where it is no time, or one that no calendar has.
 */
export function read(text: string, precision: Precision): string | undefined {
  // Also the wide digits and colons that Chinese keyboards write.
  const plain = text.normalize('NFKC').trim().toLowerCase();
  if (precision === 'clock') return clockIn(plain)?.slice(0, 5);
  const begin = dayIn(plain);
  if (!begin) return undefined;
  const rest = plain.slice(begin.length).replace(/^[\s,t]+/, '');
  const isApart = rest.length < plain.length - begin.length || plain[begin.length - 1] === '\u65e5';
  const clock = rest ? isApart && clockIn(rest) : '00:00:00';
  if (!clock) return undefined;
  return `${begin.day}T${precision === 'second' && !clock.endsWith(':00') ? clock : clock.slice(0, 5)}`;
}

/** The day that a text begins with, and how long it is written. */
function dayIn(text: string): { day: string; length: number } | undefined {
  const numbered = NUMBERED.exec(text);
  if (numbered) return dayOf(numbered[1], Number(numbered[2]), numbered[3], numbered[0].length);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return dayOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], monthFirst[0].length);
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return dayOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], dayFirst[0].length);
  return undefined;
}

const monthOf = (name = '') => MONTHS.indexOf(name) + 1;

function dayOf(year = '', month: number, day = '', length: number) {
  const found = `${year}-${two(month)}-${two(Number(day))}`;
  const at = new Date(`${found}T00:00Z`);
  // February has no 30th, and what reads one takes it for March.
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(found);
  return isReal ? { day: found, length } : undefined;
}

/** With seconds. */
function clockIn(text: string): string | undefined {
  const half = HALF.exec(text);
  const match = OF_DAY.exec(text.replace(half?.[0] ?? '', '').replaceAll(' ', ''));
  if (!match) return undefined;
  const [written, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (half && (written < 1 || written > 12)) return undefined;
  const hour = half ? (written % 12) + (half[2] ? 12 : 0) : written;
  return hour < 24 && minute < 60 && second < 60 ? `${two(hour)}:${two(minute)}:${two(second)}` : undefined;
}

/** A time as the console shows it; a text that is none stays as it is. */
export function shownAs(value: string): string {
  return MOMENT.test(value) ? value.replace('T', ' ') : value;
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

const UNITS: readonly Unit[] = ['year', 'month', 'day', 'hour', 'minute', 'second'];
const SIZES = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 } as const;

/** A time some units later, or earlier. A day that a month lacks becomes its last; hours of a day go round. */
export function moved(wall: string, unit: Unit, by: number): string {
  const isClock = CLOCK.test(wall);
  const at = new Date(`${isClock ? `2000-01-01T${wall}` : wall}Z`);
  if (unit === 'year' || unit === 'month') {
    const day = at.getUTCDate();
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() + by * (unit === 'year' ? 12 : 1));
    const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
    at.setUTCDate(Math.min(day, last));
  } else at.setTime(at.getTime() + by * SIZES[unit]);
  const found = isClock ? at.toISOString().slice(11, 16) : at.toISOString().slice(0, wall.length);
  return isClock || MOMENT.test(found) ? found : wall;
}

/** The part of a time in which the caret stands, one more or less, and where that part is. */
export function stepped(wall: string, caret: number, by: number): { wall: string; from: number; to: number } {
  const parts = [...wall.matchAll(/\d+/g)];
  const place = parts.findIndex(({ index, 0: digits }) => caret <= index + digits.length);
  const part = parts.at(place);
  const unit = UNITS[(CLOCK.test(wall) ? 3 : 0) + (place < 0 ? parts.length - 1 : place)] ?? 'minute';
  const from = part?.index ?? 0;
  return { wall: moved(wall, unit, by), from, to: from + (part?.[0].length ?? 0) };
}

/** The six weeks that show a month, each from Monday. `month`: a day of it. */
export function weeksOf(month: string): string[][] {
  const first = `${month.slice(0, 8)}01T00:00`;
  const behind = (new Date(`${first}Z`).getUTCDay() + 6) % 7;
  const dayAt = (place: number) => moved(first, 'day', place - behind).slice(0, 10);
  return [0, 1, 2, 3, 4, 5].map((week) => [0, 1, 2, 3, 4, 5, 6].map((day) => dayAt(week * 7 + day)));
}
