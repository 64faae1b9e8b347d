import { Button, type ButtonProps, Tooltip } from 'antd';
import './refusable.css';

interface Props extends Omit<ButtonProps, 'disabled' | 'title' | 'className'> {
  /** Why it cannot be done now; left out: it can. The button stays in reach, so that the reason can be read. */
  refused?: string | undefined;
}

/** A button that says why it does nothing now, to the pointer as well as to the keyboard. */
export function RefusableButton({ refused, onClick, ...rest }: Props) {
  const isRefused = refused !== undefined;
  return (
    <Tooltip title={refused} trigger={['hover', 'focus']}>
      <Button
        {...rest}
        // Not `disabled`: the reason must be reachable by keyboard.
        aria-disabled={isRefused}
        aria-description={refused}
        className={isRefused ? 'ant-btn-disabled' : undefined}
        onClick={isRefused ? undefined : onClick}
      />
    </Tooltip>
  );
}
