import { type PointerEvent, useState } from 'react';

/** How far something was carried from where it began, and what its handle needs to carry it. */
export function useDrag() {
  const [place, setPlace] = useState({ x: 0, y: 0 });
  const carry = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const begin = { x: event.clientX - place.x, y: event.clientY - place.y };
    const follow = (move: globalThis.PointerEvent) =>
      setPlace({ x: move.clientX - begin.x, y: move.clientY - begin.y });
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', follow);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', follow), {
      once: true,
    });
  };
  return { place, carry, home: () => setPlace({ x: 0, y: 0 }) };
}
