/** Seconds of the ranges that follow the clock. */
export const SPANS = {
  '15m': 900,
  '1h': 3600,
  '6h': 21_600,
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
} as const;

export type Span = keyof typeof SPANS;

export const spans = Object.keys(SPANS) as Span[];

/** As it stands in the address: a span that ends now, or `own` with both ends in milliseconds since 1970. */
export interface RangeState extends Record<string, string | number> {
  range: string;
  from: number;
  to: number;
}

export const usualRange: RangeState = { range: '1h', from: 0, to: 0 };

/** What the server is asked for. What the address says wrongly counts as the usual range. */
export function askedRange({ range, from, to }: RangeState) {
  if (range === 'own' && from > 0 && to > from)
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return { last: SPANS[spanOf(range)] };
}

export function spanOf(range: string): Span {
  return spans.find((span) => span === range) ?? '1h';
}

/** Whether the range ends now, so that new points come in. */
export function isLive(state: RangeState): boolean {
  return 'last' in askedRange(state);
}
