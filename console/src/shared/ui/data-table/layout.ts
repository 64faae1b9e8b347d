import type { Column } from './types';

export const SELECTION_WIDTH = 40;
const DEFAULT_MINIMUM = 120;

export interface PlacedColumn<Row> {
  column: Column<Row>;
  /** Pixels. */
  width: number;
  /** Pixels from the edge it is fixed to. */
  offset?: number;
}

function minimum(column: Column<unknown>): number {
  return column.width ?? column.minWidth ?? DEFAULT_MINIMUM;
}

/** Gives every column its width: stated ones as stated, the others share what is left of `room`. */
export function placeColumns<Row>(
  columns: readonly Column<Row>[],
  room: number,
  hasSelection: boolean,
): PlacedColumn<Row>[] {
  const start = hasSelection ? SELECTION_WIDTH : 0;
  const taken = columns.reduce((sum, column) => sum + minimum(column as Column<unknown>), start);
  const flexible = columns.filter((column) => column.width === undefined);
  // With stated widths only, the last column takes the rest, so that the head reaches the edge.
  const growing = flexible.length > 0 ? flexible : columns.filter((column) => !column.fixed).slice(-1);
  const share = growing.length > 0 ? Math.max(0, Math.floor((room - taken) / growing.length)) : 0;
  const widths = columns.map(
    (column) => minimum(column as Column<unknown>) + (growing.includes(column) ? share : 0),
  );
  return columns.map((column, index) => ({
    column,
    width: widths[index] ?? 0,
    offset: fixedOffset(columns, widths, index, start),
  }));
}

function fixedOffset<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  index: number,
  start: number,
): number | undefined {
  const side = columns[index]?.fixed;
  if (!side) return undefined;
  const between = columns
    .map((column, other) => ({ column, other }))
    .filter(
      ({ column, other }) => column.fixed === side && (side === 'left' ? other < index : other > index),
    );
  const sum = between.reduce((total, { other }) => total + (widths[other] ?? 0), 0);
  return side === 'left' ? sum + start : sum;
}
