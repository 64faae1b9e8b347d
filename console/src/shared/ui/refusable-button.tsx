import { Button, type ButtonProps, Tooltip } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import './refusable.css';

interface Props extends Omit<ButtonProps, 'disabled' | 'title' | 'className' | 'onKeyUp' | 'onBlur'> {
  /** Why it cannot be done now; left out: it can. The button stays in reach, so that the reason can be read. */
  refused?: string | undefined;
}

/**
 * A button that says why it does nothing now: under the pointer, when Tab comes to it, and when it is pressed.
 *
 * Not when a dialog that closes gives it the focus back: Escape closes what is on top, and that would be a hint nobody
 * has asked for instead of the drawer below it.
 */
export function RefusableButton({ refused, onClick, ...rest }: Props) {
  const [isShown, setShown] = useState(false);
  const isRefused = refused !== undefined;
  // The kit does not tell of a pointer that leaves while there is no reason.
  if (isShown && !isRefused) setShown(false);
  const showToTab = ({ key }: KeyboardEvent) => key === 'Tab' && setShown(isRefused);
  return (
    <Tooltip title={refused} open={isShown} onOpenChange={setShown}>
      <Button
        {...rest}
        // Not `disabled`: the reason must be reachable by keyboard.
        aria-disabled={isRefused}
        aria-description={refused}
        className={isRefused ? 'ant-btn-disabled' : undefined}
        onClick={isRefused ? () => setShown(true) : onClick}
        onKeyUp={showToTab}
        onBlur={() => setShown(false)}
      />
    </Tooltip>
  );
}
