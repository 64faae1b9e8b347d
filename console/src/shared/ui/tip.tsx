import { Tooltip } from 'antd';
import {
  cloneElement,
  type DOMAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react';

interface Props {
  /** Nothing is shown where it is left out. */
  title: ReactNode;
  /** Pressing the child shows the hint, and does nothing else. */
  whenPressed?: boolean;
  /** An element that takes the focus, or has one that does; it hands on what it is given. */
  children: ReactElement<DOMAttributes<HTMLElement>>;
}

/**
 * A hint under the pointer, and when Tab comes to its child.
 *
 * Not when a dialog or a list that closes gives the focus back: Escape closes what is on top, and that would be a hint
 * nobody has asked for instead of the drawer below it.
 */
export function Tip({ title, whenPressed = false, children }: Props) {
  const [isShown, setShown] = useState(false);
  // The kit does not tell of a pointer that leaves while there is no hint.
  if (isShown && !title) setShown(false);
  const show = () => setShown(Boolean(title));
  return (
    <Tooltip title={title} open={isShown} onOpenChange={setShown}>
      {cloneElement(children, {
        onKeyUp: ({ key }: KeyboardEvent) => key === 'Tab' && show(),
        onBlur: () => setShown(false),
        ...(whenPressed && { onClick: show }),
      })}
    </Tooltip>
  );
}
