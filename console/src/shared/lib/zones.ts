/** A moment as clocks of a time zone show it: `2026-03-29T02:30`, as the browser's own field writes it. */
export function wallTime(at: Date | string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(at));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function ahead(at: number, zone: string): number {
  return Date.parse(`${wallTime(new Date(at), zone)}Z`) - Math.floor(at / 60_000) * 60_000;
}

/**
 * The moment at which clocks of a zone show a time. Of a time that comes twice, one of the two; of one that the clocks
 * skip, as far behind the gap as it stands in it, or before it.
 */
export function momentIn(zone: string, wall: string): Date {
  const asUtc = Date.parse(`${wall.slice(0, 16)}Z`);
  const near = asUtc - ahead(asUtc, zone);
  return new Date(asUtc - ahead(near, zone));
}

/** `2026-03-29 03:30 GMT+2`: a moment in a zone, with how far that is from UTC. */
export function timeIn(zone: string, at: string): string {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${wallTime(at, zone).replace('T', ' ')} ${name ?? ''}`.trim();
}

/** Every zone that the browser knows, UTC first. */
export function zoneNames(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
