import {
  cloneElement,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useId,
  useState,
} from 'react';
import { TipLayer } from './tip-layer';

interface Props {
  /** Nothing is shown where it is left out. */
  title: ReactNode;
  /** Pressing the child shows the hint, and does nothing else. */
  whenPressed?: boolean;
  /** An element that takes the focus, or has one that does; it hands on what it is given. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

interface Place {
  element: HTMLElement;
  pointer?: globalThis.MouseEvent;
  isShown: boolean;
}

const isIn = (element: HTMLElement, target: EventTarget | null) =>
  target instanceof Node && element.contains(target);

/**
 * A hint under the pointer, and when Tab comes to its child. Escape takes it away, and closes the dialog or the list
 * that is below it by the same press.
 *
 * Not when a dialog or a list that closes gives the focus back: that would be an unwanted tooltip.
 */
export function Tip({ title, whenPressed = false, children }: Props) {
  const id = useId();
  const [place, setPlace] = useState<Place>();
  const gone = useCallback(() => setPlace(undefined), []);
  // Without a tooltip there is no event for a pointer that leaves.
  if (place && !title) setPlace(undefined);
  const turn = (isShown: boolean) => setPlace((former) => former && { ...former, isShown });
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) =>
    setPlace({ element: currentTarget, isShown: true });
  // Events of a child's portal bubble to here as well.
  const point = ({ currentTarget, target, relatedTarget, nativeEvent }: MouseEvent<HTMLElement>) => {
    if (!isIn(currentTarget, target) || isIn(currentTarget, relatedTarget)) return;
    setPlace((former) => former ?? { element: currentTarget, pointer: nativeEvent, isShown: false });
  };
  return (
    <>
      {cloneElement(children, {
        ...(place?.isShown && { 'aria-describedby': id }),
        onMouseOver: point,
        onKeyUp: (event: KeyboardEvent<HTMLElement>) => event.key === 'Tab' && show(event),
        onBlur: () => turn(false),
        ...(whenPressed && { onClick: show }),
      })}
      {place && title && <TipLayer {...place} id={id} title={title} onOpenChange={turn} onGone={gone} />}
    </>
  );
}
