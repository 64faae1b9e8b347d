import { type RefObject, useEffect, useState } from 'react';

interface Hint {
  text: string;
  left: number;
  top: number;
}

const WIDEST = 480;

/** The whole text of what the pointer or the focus is on, if it is cut there. */
function hintFor(target: EventTarget | null): Hint | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const marked = target.closest<HTMLElement>('[data-whole]');
  const cell = target.closest<HTMLElement>('td');
  const isTight =
    cell !== null && cell.scrollWidth > cell.clientWidth && !cell.querySelector('button, input');
  const place = marked ?? (isTight ? cell : null);
  const text = marked?.dataset.whole ?? place?.textContent;
  if (!place || !text) return undefined;
  const box = place.getBoundingClientRect();
  return { text, left: Math.min(box.left, window.innerWidth - WIDEST - 16), top: box.bottom + 4 };
}

/**
 * One hint for all cells of a table: a tooltip of the kit in every cell would cost more than the rows. It shows what
 * is cut, whether by the column's length or by its width, and goes when the table is scrolled.
 */
export function TextHint({ area }: { area: RefObject<HTMLElement | null> }) {
  const [hint, setHint] = useState<Hint>();
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const show = (event: Event) => setHint(hintFor(event.target));
    const hide = () => setHint(undefined);
    const closing = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    const listeners = { pointerover: show, focusin: show, pointerleave: hide, focusout: hide, scroll: hide };
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    element.addEventListener('keydown', closing);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
      element.removeEventListener('keydown', closing);
    };
  }, [area]);
  if (!hint) return null;
  return (
    <div role="tooltip" className="table-hint" style={{ left: hint.left, top: hint.top, maxWidth: WIDEST }}>
      {hint.text}
    </div>
  );
}
