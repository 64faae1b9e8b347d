import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { useDrag } from './use-drag';

function Thing() {
  const { place, carry, home } = useDrag();
  return (
    <>
      <div data-testid="handle" onPointerDown={carry}>{`${place.x} ${place.y}`}</div>
      <button type="button" onClick={home}>
        home
      </button>
    </>
  );
}

it('what is carried by its handle follows the pointer until it is released', async () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  await renderInFrame(<Thing />);
  const handle = screen.getByTestId('handle');
  const at = (x: number, y: number) => ({ clientX: x, clientY: y });
  fireEvent(handle, new MouseEvent('pointerdown', { bubbles: true, ...at(100, 100) }));
  fireEvent(handle, new MouseEvent('pointermove', at(130, 80)));
  expect(handle).toHaveTextContent('30 -20');
  fireEvent(handle, new Event('lostpointercapture'));
  fireEvent(handle, new MouseEvent('pointermove', at(500, 500)));
  expect(handle).toHaveTextContent('30 -20');
  fireEvent.click(screen.getByRole('button', { name: 'home' }));
  expect(handle).toHaveTextContent('0 0');
});
