import type { MenuProps } from 'antd';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { RowAction } from './data-table/types';
import { TipLayer } from './tip-layer';
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
  const [shownAt, setShownAt] = useState<HTMLElement | null>(null);
  const hide = useCallback(() => setShownAt(null), []);
  useEffect(() => {
    const entry = label.current?.closest('[role=menuitem]');
    entry?.setAttribute('aria-disabled', 'true');
    entry?.setAttribute('aria-description', reason);
    // A menu that was opened by the pointer focuses its first entry, without the user's choice.
    const show = (event: Event) =>
      setShownAt(event.type !== 'focus' || entry?.matches(':focus-visible') ? label.current : null);
    for (const name of shows) entry?.addEventListener(name, show);
    for (const name of hides) entry?.addEventListener(name, hide);
    return () => {
      for (const name of shows) entry?.removeEventListener(name, show);
      for (const name of hides) entry?.removeEventListener(name, hide);
      entry?.removeAttribute('aria-disabled');
      entry?.removeAttribute('aria-description');
    };
  }, [reason, hide]);
  return (
    <>
      <span ref={label}>{children}</span>
      {shownAt && <TipLayer element={shownAt} title={reason} placement="left" isShown onGone={hide} />}
    </>
  );
}
