/** How many pages a jump passes. */
export const JUMP = 5;

const NEIGHBOURS = 2;

/** The numbers that a pager shows: the current page with its neighbours; five of them as long as there are five. */
export function pageNumbers(current: number, last: number): number[] {
  const shown = Math.min(last, 2 * NEIGHBOURS + 1);
  const first = Math.max(1, Math.min(current - NEIGHBOURS, last - shown + 1));
  return Array.from({ length: shown }, (_, index) => first + index);
}
