import type { PointerEvent } from 'react';

/** Room for a number of three digits with its padding; pixels. */
export const NARROWEST = 40;
export const WIDEST = 1200;

interface Props {
  /** Pixels, as the column is drawn now. */
  width: number;
  onResize: (width: number) => void;
}

export function allowedWidth(width: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, Math.round(width)));
}

/** The column's own element of the table: setting its width redraws nothing but the layout. */
function columnElement(handle: HTMLElement): HTMLElement | undefined {
  const cell = handle.closest('th');
  const columns = handle.closest('table')?.querySelectorAll('col');
  return cell ? columns?.[cell.cellIndex] : undefined;
}

/** The right edge of a column's head, to be pulled. With the keyboard the width is set in the columns' menu. */
export function ResizeHandle({ width, onResize }: Props) {
  const pull = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const head = handle.closest('th');
    const column = columnElement(handle);
    const begin = event.clientX;
    let wanted = width;
    const follow = (move: globalThis.PointerEvent) => {
      wanted = allowedWidth(width + move.clientX - begin);
      if (column) column.style.width = `${wanted}px`;
    };
    const finish = () => {
      if (head) head.draggable = true;
      handle.removeEventListener('pointermove', follow);
      if (wanted !== width) onResize(wanted);
    };
    // A pull at the edge must not begin to carry the column away: the browser would take the pointer for that.
    if (head) head.draggable = false;
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', follow);
    handle.addEventListener('lostpointercapture', finish, { once: true });
  };
  return <span className="table-resize" aria-hidden onPointerDown={pull} />;
}
