import { lazy, Suspense, useRef, useState } from 'react';
import { word } from '@/shared/i18n/word';
import type { RowAction } from './types';

// These stand in every row of long tables, so they are plain elements: the kit's buttons cost more than the row. The
// kit's menu comes when one is opened.
const ActionMenu = lazy(() => import('./action-menu'));

const SHOWN = 2;

function ActionButton({ action }: { action: RowAction }) {
  return (
    <button
      type="button"
      className="row-action"
      data-danger={action.danger}
      // Not `disabled`: the reason must be reachable by keyboard.
      aria-disabled={action.refused !== undefined}
      aria-description={action.refused}
      data-whole={action.refused}
      onClick={() => action.refused === undefined && action.run()}
    >
      {action.icon}
      {action.label}
    </button>
  );
}

function MoreActions({ actions }: { actions: readonly RowAction[] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="row-action"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={word('action.more')}
        onClick={() => setOpen(true)}
      >
        ⋯
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ActionMenu actions={actions} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

interface Props {
  actions: readonly RowAction[];
  /** Number of visible actions; the others are in a menu. */
  shown?: number;
}

/** What can be done with a row. */
export function RowActions({ actions, shown = SHOWN }: Props) {
  // A menu for one action alone would cost a click and save no room.
  const first = actions.length === shown + 1 ? actions : actions.slice(0, shown);
  const rest = actions.slice(first.length);
  return (
    <span className="row-actions">
      {first.map((action) => (
        <ActionButton key={action.key} action={action} />
      ))}
      {rest.length > 0 && <MoreActions actions={rest} />}
    </span>
  );
}
