import dayjs from 'dayjs';

export const INDEX_SPANS = ['today', 'yesterday', '7d', '30d', 'own'] as const;
export type IndexSpan = (typeof INDEX_SPANS)[number];

/** As it stands in the address: a span, or `own` with both ends in milliseconds since 1970. */
export interface IndexRange {
  span: string;
  from: string;
  to: string;
}

export function spanOf(span: string): IndexSpan {
  return INDEX_SPANS.find((known) => known === span) ?? 'today';
}

/** The ends of a range, in milliseconds since 1970: whole days of the viewer's zone, or the viewer's own. */
export function endsOf({ span, from, to }: IndexRange, now = dayjs()): { from: number; to: number } {
  const today = now.startOf('day');
  const tomorrow = today.add(1, 'day').valueOf();
  const days = (number: number) => today.subtract(number, 'day').valueOf();
  switch (spanOf(span)) {
    case 'own':
      if (Number(to) > Number(from) && Number(from) > 0) return { from: Number(from), to: Number(to) };
      return { from: days(0), to: tomorrow };
    case 'yesterday':
      return { from: days(1), to: days(0) };
    case '7d':
      return { from: days(6), to: tomorrow };
    case '30d':
      return { from: days(29), to: tomorrow };
    default:
      return { from: days(0), to: tomorrow };
  }
}
