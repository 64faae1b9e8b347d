/** How wide the wall draws its lines. */

const WIDTH = { least: 2, most: 14 } as const;
/** Rows per second at which a line is at its widest. */
const FULL = 100_000;

/** How wide the line of a way is, in pixels: each tenfold of rows per second adds the same. Nothing moves: 0. */
export function lineWidth(rowsPerSecond: number | null): number {
  if (rowsPerSecond === null || rowsPerSecond <= 0) return 0;
  const part = Math.min(1, Math.log10(1 + rowsPerSecond) / Math.log10(1 + FULL));
  return WIDTH.least + part * (WIDTH.most - WIDTH.least);
}
