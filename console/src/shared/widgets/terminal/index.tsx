import { lazy, Suspense } from 'react';
import type { TerminalProps } from './window';

const Window = lazy(() => import('./window'));

/** A remote shell or a container's log in a window of its own. The terminal is loaded when one is opened. */
export function TerminalDialog(props: TerminalProps) {
  return (
    <Suspense fallback={null}>
      <Window {...props} />
    </Suspense>
  );
}
