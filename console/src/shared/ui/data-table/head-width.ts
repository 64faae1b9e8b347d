import { DEFAULT_MINIMUM } from './layout';
import type { Column } from './types';

/** Pixels around a head's text, as in data-table.css. */
const PADDING = 16;
const CARETS = 14;
const FILTER = 24;
/** What a browser rounds away, and the next column's edge. */
const SPARE = 2;

type Measure = (text: string) => number;

function ruler(): Measure {
  // Without a layout, as in tests, nothing has a width.
  const context = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return () => 0;
  context.font = `600 14px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context.measureText(text).width;
}

let ownRuler: Measure | undefined;

function measure(text: string): number {
  ownRuler ??= ruler();
  return ownRuler(text);
}

/** The column, at least as wide as its head: titles are longer in one language than in the other. */
export function withHeadShown<Row>(column: Column<Row>, widthOf: Measure = measure): Column<Row> {
  const text = widthOf(column.title);
  if (text === 0) return column;
  const marks = (column.sortable ? CARETS : 0) + (column.filter ? FILTER : 0);
  const needed = Math.ceil(text) + marks + PADDING + SPARE;
  if (column.width !== undefined) return { ...column, width: Math.max(column.width, needed) };
  return { ...column, minWidth: Math.max(column.minWidth ?? DEFAULT_MINIMUM, needed) };
}
