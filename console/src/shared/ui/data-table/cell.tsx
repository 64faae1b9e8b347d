import { ELLIPSIS_LENGTH, ellipsis } from '@/shared/lib/text';
import { SafeHtml } from '../safe-html';
import { RowActions } from './row-actions';
import type { Column, PlainValue } from './types';

interface CutTextProps {
  value: PlainValue;
  length: number;
}

/** A text that is too long for a cell: cut for the eye, whole for the hint and for screen readers. */
function CutText({ value, length }: CutTextProps) {
  const whole = value === null || value === undefined || value === '' ? '–' : String(value);
  const cut = ellipsis(whole, length);
  if (cut === whole) return whole;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the hint must be reachable by keyboard
    <span className="table-cut" data-whole={whole} tabIndex={0}>
      <span aria-hidden>{cut}</span>
      <span className="visually-hidden">{whole}</span>
    </span>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  index: number;
  /** How many rows stand on the pages before. */
  before: number;
}

/** What a column shows of a row, by the column's type. */
export function Cell<Row>({ column, row, index, before }: CellProps<Row>) {
  switch (column.type) {
    case 'text':
      return <CutText value={column.text(row)} length={column.length ?? ELLIPSIS_LENGTH} />;
    case 'html':
      return <SafeHtml html={column.html(row)} />;
    case 'seq':
      return before + index + 1;
    case 'options':
      return <RowActions actions={column.actions(row)} shown={column.shown} />;
    default:
      return column.render(row, index);
  }
}
