import { useLayoutEffect } from 'react';

/** Takes the totals of a page's list; undefined: there are none that hold. Keep it the same between renders. */
export type ReportTotals<Totals> = (totals: Totals | undefined) => void;

interface ListQuery<Totals> {
  data?: { totals?: Totals | null } | undefined;
  isError: boolean;
}

/**
 * Hands the totals of a list's last answer to the head of its page, so that both show one moment. They are taken back
 * when the list is left or its call fails: then the head's own figures are the newer ones.
 */
export function useReportTotals<Totals>(
  { data, isError }: ListQuery<Totals>,
  report: ReportTotals<Totals> | undefined,
): void {
  const totals = isError ? undefined : (data?.totals ?? undefined);
  // Before it is painted: rows and head change together.
  useLayoutEffect(() => report?.(totals), [report, totals]);
  useLayoutEffect(() => () => report?.(undefined), [report]);
}
