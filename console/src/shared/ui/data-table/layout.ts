import type { Column } from './types';

/** Width of the column of boxes, and of the one that opens rows; pixels. */
export const LEAD_WIDTH = 40;
/** Width of a column of moments: date and time to the second, in any of the console's fonts. */
export const MOMENT_WIDTH = 176;
/** Of a column whose page states no width, where the window has room for all; pixels. */
export const DEFAULT_WIDTH = 200;
/** The least width of such a column in a narrow window; pixels. */
export const DEFAULT_MINIMUM = 120;

export interface PlacedColumn<Row> {
  column: Column<Row>;
  /** Pixels. */
  width: number;
  /** Pixels from the edge it is fixed to. */
  offset?: number;
  /** The innermost of the columns fixed to its edge: the others scroll away behind it. */
  isEdge?: boolean;
}

function minimum(column: Column<never>): number {
  return column.width ?? column.minWidth ?? DEFAULT_MINIMUM;
}

function leastWidth(columns: readonly Column<never>[]): number {
  return columns.reduce((sum, column) => sum + minimum(column), 0);
}

/**
 * The columns that a window has room for: while it is too narrow, those that may be left out go, the last one first.
 * `keeps`: columns that the viewer chose by name; they stay, and the table scrolls.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  room: number,
  keeps: (column: Column<Row>) => boolean,
): Column<Row>[] {
  const fitting = [...columns];
  // Before the window has been measured nothing is known to be too wide.
  while (room > 0 && leastWidth(fitting as Column<never>[]) > room) {
    const place = fitting.findLastIndex((column) => column.leaveOut && !keeps(column));
    if (place < 0) break;
    fitting.splice(place, 1);
  }
  return fitting;
}

/** The width that a column has where there is room for it. */
function usual(column: Column<never>): number {
  return column.width ?? Math.max(column.minWidth ?? 0, DEFAULT_WIDTH);
}

/**
 * Gives every column its width: stated ones as stated; the others their usual one while `room` without `lead` pixels
 * allows it, less in a narrow window but never less than their least one, and they share what is left of a wide one.
 */
export function placeColumns<Row>(
  columns: readonly Column<Row>[],
  room: number,
  lead: number,
): PlacedColumn<Row>[] {
  const all = columns as readonly Column<never>[];
  const wished = all.reduce((sum, column) => sum + usual(column) - minimum(column), 0);
  const spare = Math.max(0, room - lead - leastWidth(all));
  // Before the window has been measured every column has its usual width.
  const part = wished === 0 || room <= 0 ? 1 : Math.min(1, spare / wished);
  const base = all.map((column) => minimum(column) + Math.floor((usual(column) - minimum(column)) * part));
  const taken = base.reduce((sum, width) => sum + width, lead);
  const flexible = columns.filter((column) => column.width === undefined);
  // With stated widths only, the last column takes the rest, so that the head reaches the edge.
  const growing = flexible.length > 0 ? flexible : columns.filter((column) => !column.fixed).slice(-1);
  const share = growing.length > 0 ? Math.max(0, Math.floor((room - taken) / growing.length)) : 0;
  const widths = columns.map((column, index) => (base[index] ?? 0) + (growing.includes(column) ? share : 0));
  return columns.map((column, index) => ({
    column,
    width: widths[index] ?? 0,
    offset: fixedOffset(columns, widths, index, lead),
    isEdge: isEdge(columns, index),
  }));
}

function isEdge<Row>(columns: readonly Column<Row>[], index: number): boolean {
  const side = columns[index]?.fixed;
  if (!side) return false;
  return columns[side === 'left' ? index + 1 : index - 1]?.fixed !== side;
}

function fixedOffset<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  index: number,
  lead: number,
): number | undefined {
  const side = columns[index]?.fixed;
  if (!side) return undefined;
  const between = columns
    .map((column, other) => ({ column, other }))
    .filter(
      ({ column, other }) => column.fixed === side && (side === 'left' ? other < index : other > index),
    );
  const sum = between.reduce((total, { other }) => total + (widths[other] ?? 0), 0);
  return side === 'left' ? sum + lead : sum;
}
