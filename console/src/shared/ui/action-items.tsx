import { type MenuProps, Tooltip } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { RowAction } from './data-table/types';
import './refusable.css';

/** Entries of the kit's menus. What is refused stays in reach of the keyboard, says why, and does nothing. */
export function actionItems(actions: readonly RowAction[]): NonNullable<MenuProps['items']> {
  return actions.map(({ key, label, icon, danger, refused, run }) =>
    refused === undefined
      ? { key, icon, danger: danger ?? false, label, onClick: run }
      : { key, icon, label: <RefusedLabel reason={refused}>{label}</RefusedLabel> },
  );
}

const shows = ['focus', 'mouseenter'] as const;
const hides = ['blur', 'mouseleave'] as const;

/** The kit's menus pass disabled entries over, so its entry only says of itself that it is off. */
function RefusedLabel({ reason, children }: { reason: string; children: ReactNode }) {
  const label = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const entry = label.current?.closest('[role=menuitem]');
    entry?.setAttribute('aria-disabled', 'true');
    entry?.setAttribute('aria-description', reason);
    // A menu that was opened by the pointer focuses its first entry, which nobody has asked about.
    const show = (event: Event) =>
      setShown(event.type !== 'focus' || entry?.matches(':focus-visible') === true);
    const hide = () => setShown(false);
    for (const name of shows) entry?.addEventListener(name, show);
    for (const name of hides) entry?.addEventListener(name, hide);
    return () => {
      for (const name of shows) entry?.removeEventListener(name, show);
      for (const name of hides) entry?.removeEventListener(name, hide);
      entry?.removeAttribute('aria-disabled');
      entry?.removeAttribute('aria-description');
    };
  }, [reason]);
  return (
    <Tooltip title={reason} open={isShown} placement="left">
      <span ref={label}>{children}</span>
    </Tooltip>
  );
}
