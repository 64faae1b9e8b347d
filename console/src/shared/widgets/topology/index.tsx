import { lazy, Suspense } from 'react';
import { LoadingState } from '@/shared/ui/loading-state';
import type { TopologyProps } from './diagram';

export type { TopologyEdge, TopologyNode } from './graph';

const Diagram = lazy(() => import('./diagram'));

/** Boxes and the lines between them, laid out from left to right. What draws them is loaded with the first diagram. */
export function Topology(props: TopologyProps) {
  return (
    <Suspense fallback={<LoadingState rows={6} />}>
      <Diagram {...props} />
    </Suspense>
  );
}
