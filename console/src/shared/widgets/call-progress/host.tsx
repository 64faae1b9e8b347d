import { lazy, Suspense } from 'react';
import { useFollowedCalls } from './follow';

const ProgressDialog = lazy(() => import('./dialog'));

/** Stands once in the frame and shows the calls that `follow` made and that take longer than a moment. */
export function CallProgressHost() {
  const calls = useFollowedCalls((state) => state.calls);
  return (
    <Suspense fallback={null}>
      {calls.map((one) => (
        <ProgressDialog key={one.key} followed={one} />
      ))}
    </Suspense>
  );
}
