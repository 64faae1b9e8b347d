import { Button, type ButtonProps } from 'antd';
import './refusable.css';
import { Tip } from './tip';

interface Props extends Omit<ButtonProps, 'disabled' | 'title' | 'className' | 'onKeyUp' | 'onBlur'> {
  /** Why it cannot be done now; left out: it can. The button stays in reach, so that the reason can be read. */
  refused?: string | undefined;
}

/** A button that says why it does nothing now: under the pointer, when Tab comes to it, and when it is pressed. */
export function RefusableButton({ refused, ...rest }: Props) {
  const isRefused = refused !== undefined;
  return (
    <Tip title={refused} whenPressed={isRefused}>
      <Button
        {...rest}
        // Not `disabled`: the reason must be reachable by keyboard.
        aria-disabled={isRefused}
        aria-description={refused}
        className={isRefused ? 'ant-btn-disabled' : undefined}
      />
    </Tip>
  );
}
